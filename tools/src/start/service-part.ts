import { join } from 'node:path';
import type { ServiceDescription } from '../services.ts';
import { Debugger } from './debugger.ts';
import { serviceEnvironment, type Surroundings } from './environment.ts';
import type { LogStream } from './log-stream.ts';
import type { HeldPorts } from './ports.ts';
import type { Progress } from './progress.ts';
import type { RunRecord } from './run-record.ts';
import { startProgram, type Program } from './service-process.ts';
import { Supervisor, type Supervised } from './supervisor.ts';

/** How services run. */
export interface ServiceOptions {
  /** `source` runs the TypeScript sources, `build` what `npm run build` made of them. */
  run: 'source' | 'build';
  /** Services that a debugger can be attached to, by name. */
  inspected?: readonly string[];
  /** Whether services wait for a restart when they do not come up any more, in place of {@link onGiveUp}. */
  awaitsChanges?: boolean;
  log: LogStream;
  progress: Progress;
  /** Stops it, also in the middle of starting. */
  signal: AbortSignal;
  /** Called once when a part does not come up any more. */
  onGiveUp: (error: Error) => void;
}

/** What services are started with. */
export interface ServiceStart extends ServiceOptions {
  directory: string;
  surroundings: Surroundings;
  held: HeldPorts;
  record: RunRecord;
  /** Filled with the address of each debugger. */
  debuggers: Map<string, string>;
}

/**
 * Starts a service and keeps it running.
 *
 * @param prepare makes its database ready and gives its address, at each start
 */
export async function startService(
  service: ServiceDescription,
  prepare: () => Promise<string | undefined>,
  start: ServiceStart,
): Promise<Supervisor> {
  const { log, progress, signal, record, held, awaitsChanges, onGiveUp } = start;
  const { name } = service;
  const onEvent = (sentence: string): void => log.write(name, sentence);
  const inspector = Debugger.of(name, start.inspected);
  const listener = {
    line: (text: string) => {
      const found = inspector?.read(text);
      if (found === undefined) log.write(name, text);
      else if (found !== '') onDebugger(found);
    },
    spawned: (pid: number) => record.add(name, pid),
  };
  const onDebugger = (address: string): void => {
    start.debuggers.set(name, address);
    onEvent(`a debugger can be attached to ${name} at ${address}`);
  };
  const port = held.get(name);
  const supervised: Supervised = {
    name,
    async start(stopping) {
      const program = programOf(service, await prepare(), { ...start, inspector });
      // The first one takes the socket over; later ones open the port again.
      const run = await startProgram(program, listener, { socket: port?.descriptor, signal: stopping });
      port?.release();
      return run;
    },
    onEvent,
    onGiveUp: awaitsChanges === true ? undefined : onGiveUp,
  };
  return progress.step(name, () => Supervisor.start(supervised, signal));
}

function programOf(
  service: ServiceDescription,
  databaseUrl: string | undefined,
  { run, surroundings, directory, inspector }: ServiceStart & { inspector: Debugger | undefined },
): Program {
  return {
    name: service.name,
    args: [
      `--import=${new URL('./end-with-parent.ts', import.meta.url).href}`,
      // A young generation that has grown while starting is kept for good: 12 MB a service that idle ones do not need.
      '--max-semi-space-size=2',
      ...(inspector?.args ?? []),
      ...(run === 'source' ? ['--conditions=@tenantry/source', 'src/main.ts'] : ['dist/main.js']),
    ],
    cwd: service.directory,
    env: {
      // Compiled code is kept between starts: a third off the time a service takes to come up.
      NODE_COMPILE_CACHE: join(directory, 'cache'),
      MAIL_DIRECTORY: join(directory, 'mail'),
      ...serviceEnvironment(service, surroundings, databaseUrl),
    },
  };
}
