import { once } from 'node:events';
import { ExplainedError, workspaceRoot } from '@tenantry/dev-database';
import { helpText, readArguments } from './arguments.ts';
import { seedDemo } from './demo.ts';
import { createLogStream } from './log-stream.ts';
import { createProgress } from './progress.ts';
import { startStack } from './stack.ts';

/** Runs everything until a signal, or until a part does not come up any more. */
async function start(args: readonly string[]): Promise<void> {
  const { fresh, demo, help } = readArguments(args);
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
      log,
      progress,
      signal: stopping.signal,
      onGiveUp: (error) => stopping.abort(error),
    });
    try {
      if (demo) console.log(await seedDemo(stack, progress));
      progress.end();
      console.log(`Ready  ${stack.url}`);
      log.release();
      if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
    } finally {
      await stack.stop();
    }
  } catch (error) {
    progress.end();
    if (!stopping.signal.aborted) throw error;
  }
  // Being asked to stop is no failure; a part that does not come up any more is.
  if (stopping.signal.reason instanceof ExplainedError) throw stopping.signal.reason;
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
