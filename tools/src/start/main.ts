import { once } from 'node:events';
import { ExplainedError, workspaceRoot } from '@tenantry/dev-database';
import { helpText, readArguments } from './arguments.ts';
import { seedDemo } from './demo.ts';
import { createLogStream, type LogStream } from './log-stream.ts';
import { createProgress } from './progress.ts';
import { startStack, type Stack } from './stack.ts';
import { SourceWatch } from './watch.ts';

/** Runs everything until a signal, or until a part does not come up any more. */
async function start(args: readonly string[]): Promise<void> {
  const { fresh, demo, watch, inspect, help } = readArguments(args);
  if (help) {
    console.log(helpText);
    return;
  }
  const log = createLogStream(process.stdout);
  const progress = createProgress(process.stderr);
  const stopping = stopRequest();
  try {
    const stack = await startStack({
      workspaceRoot,
      run: 'source',
      env: process.env,
      fresh,
      inspected: inspect,
      awaitsChanges: watch,
      log,
      progress,
      signal: stopping.signal,
      onGiveUp: (error) => stopping.abort(error),
    });
    let watching: SourceWatch | undefined;
    try {
      if (demo) console.log(await seedDemo(stack, progress));
      watching = watch ? watchStack(stack, log) : undefined;
      // A part that has ended since it was ready is being started again.
      await Promise.race([stack.whenServing(), aborted(stopping.signal)]);
      progress.end();
      if (!stopping.signal.aborted) console.log(addressesOf(stack));
      log.release();
      await aborted(stopping.signal);
    } finally {
      watching?.close();
      await stack.stop();
    }
  } catch (error) {
    progress.end();
    if (!stopping.signal.aborted) throw error;
  }
  // Being asked to stop is no failure; a part that does not come up any more is.
  if (stopping.signal.reason instanceof ExplainedError) throw stopping.signal.reason;
}

/** What people type or copy; the last line says that everything answers. */
function addressesOf({ url, downstream, debuggers }: Stack): string {
  const verifying = Object.entries(downstream).map(([name, value]) => `${name}=${value}`);
  return [
    ...[...debuggers].map(([service, address]) => `debug ${service} at ${address}`),
    '# to verify tokens in a service of yours (@tenantry/jwt-verify):',
    ...verifying,
    `Ready  ${url}`,
  ].join('\n');
}

function watchStack({ services, restart }: Stack, log: LogStream): SourceWatch {
  const tell = (service: string, sentence: string): void => log.write(service, sentence, 'info');
  return new SourceWatch({ workspaceRoot, services, restart, tell });
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Aborted by SIGINT, SIGTERM or SIGHUP, or when the reader of the output or the parent process is gone. */
function stopRequest(): AbortController {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  // Ctrl+C reaches npm, the bootstrap and this process, and each passes it on: later ones mean nothing new.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  process.on('disconnect', stop);
  for (const output of [process.stdout, process.stderr]) output.on('error', stop);
  return controller;
}

try {
  await start(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof ExplainedError ? `\n${error.message}` : error);
  process.exitCode = 1;
}
// Everything is stopped: neither the channel to the bootstrap nor an idle timer of a library may hold the process.
process.exit();
