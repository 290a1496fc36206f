import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { ExplainedError } from '@tenantry/dev-database';
import { makeCpuGroup } from './cpu-group.ts';

/** How the machine is made slow while a command runs. */
interface Slowness {
  /** What goes before the command. */
  readonly prefix: readonly string[];
  readonly end: () => Promise<void> | void;
}

/** Has the command enter the group before it begins. */
const enter = 'echo $$ > "$0" && exec "$@"';

function slownessOf(speed: string): Slowness {
  if (speed === 'busy') return { prefix: [], end: keepBusy() };
  const cores = Number(speed);
  if (!(cores > 0)) {
    throw new ExplainedError(
      'npm run slowly -- 0.25 <command> runs it on a quarter of a core; -- busy <command> beside processes that take every core.',
    );
  }
  const { procs, remove } = makeCpuGroup(cores);
  return { prefix: ['/bin/sh', '-c', enter, procs], end: remove };
}

/** Takes every core until it is ended, or this process is. */
function keepBusy(): () => void {
  const spin = ['-e', 'const parent = process.ppid; while (process.ppid === parent);'];
  const busy = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, spin));
  return () => busy.forEach((each) => each.kill('SIGKILL'));
}

/** Runs a command to its end; whether it succeeded. */
async function run([program = '', ...args]: readonly string[], signal: AbortSignal): Promise<boolean> {
  const child = spawn(program, args, { stdio: 'inherit' });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  const [code] = (await once(child, 'exit')) as [number | null];
  signal.removeEventListener('abort', stop);
  return code === 0;
}

async function slowly(args: readonly string[], signal: AbortSignal): Promise<void> {
  const [speed = '', ...rest] = args;
  const [times, command] = rest[0] === '--times' ? [Number(rest[1]), rest.slice(2)] : [1, rest];
  const { prefix, end } = slownessOf(speed);
  let failed = 0;
  try {
    for (let n = 1; n <= times && !signal.aborted; n += 1) {
      if (times > 1) console.log(`\nRun ${n} of ${times}, ${failed} failed`);
      if (!(await run([...prefix, ...command], signal))) failed += 1;
    }
  } finally {
    await end();
  }
  if (times > 1) console.log(`\n${times - failed} of ${times} runs passed.`);
  process.exitCode = failed > 0 || signal.aborted ? 1 : 0;
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
process.on('disconnect', () => stopping.abort());
try {
  await slowly(process.argv.slice(2), stopping.signal);
} catch (error) {
  console.error(error instanceof ExplainedError ? error.message : error);
  process.exitCode = 1;
}
// The channel to the bootstrap would hold the process.
process.exit();
