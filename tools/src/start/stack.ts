import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureSecrets } from '../secrets.ts';
import { discoverServices, type ServiceDescription } from '../services.ts';
import { openDatabases, type Databases } from './databases.ts';
import {
  addressOf,
  readEnvironment,
  serviceEnvironment,
  type Environment,
  type Surroundings,
} from './environment.ts';
import type { LogStream } from './log-stream.ts';
import { choosePorts } from './ports.ts';
import type { Progress } from './progress.ts';
import { takeOver, type RunRecord } from './run-record.ts';
import { startProgram } from './service-process.ts';
import { supervise, type Run, type Supervised } from './supervisor.ts';

/** What a stack is started with. */
export interface StackOptions {
  workspaceRoot: string;
  /** Holds secrets and data; `.tenantry` at the root by default. */
  directory?: string;
  /** `source` runs the TypeScript sources, `build` what `npm run build` made of them. */
  run: 'source' | 'build';
  env: Environment;
  /** Where each service listens; by default the standard ports, or free ones in place of those that are taken. */
  ports?: ReadonlyMap<string, number>;
  /** Removes the data of earlier starts first. */
  fresh: boolean;
  log: LogStream;
  progress: Progress;
  /** Stops it, also in the middle of starting. */
  signal: AbortSignal;
  /** Called once when a part does not come up any more. */
  onGiveUp: (error: Error) => void;
}

/** All services, running. */
export interface Stack {
  /** Address of the gateway. */
  url: string;
  /** The environment, `.env` included. */
  env: Environment;
  /** Where secrets and data lie. */
  directory: string;
  /** Stops the gateway first and PostgreSQL last; no process and no port is left. */
  stop: () => Promise<void>;
}

/**
 * Brings up databases and services, all that can be at the same time, and resolves when every one is ready.
 *
 * @throws ExplainedError for what a person must settle; nothing is left running then.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { workspaceRoot, directory = join(workspaceRoot, '.tenantry') } = options;
  const services = discoverServices(workspaceRoot);
  const env = readEnvironment(workspaceRoot, options.env);
  const record = await takeOver(directory);
  const parts = new Parts(record);
  try {
    if (options.fresh) await forget(directory);
    const ports = options.ports ?? (await choosePorts(services, env['PORT']));
    const secrets = await ensureSecrets(directory, [
      ...new Set(services.flatMap((service) => service.secrets)),
    ]);
    const surroundings = { services, ports, secrets, env };
    await startParts(parts, { ...options, directory, surroundings, record });
    return { url: addressOf(surroundings, gatewayOf(services)), env, directory, stop: () => parts.stop() };
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

/** What runs, in the order it must be stopped: gateway, services, databases, and the claim on the directory. */
class Parts {
  gateway: Pick<Run, 'stop'> | undefined;
  readonly services: Pick<Run, 'stop'>[] = [];
  databases: Databases | undefined;
  readonly #record: RunRecord;
  #stopped: Promise<void> | undefined;

  constructor(record: RunRecord) {
    this.#record = record;
  }

  stop(): Promise<void> {
    return (this.#stopped ??= this.#stopInOrder());
  }

  async #stopInOrder(): Promise<void> {
    await this.gateway?.stop();
    await Promise.all(this.services.map((service) => service.stop()));
    await this.databases?.stop();
    await this.#record.release();
  }
}

interface Start extends StackOptions {
  directory: string;
  surroundings: Surroundings;
  record: RunRecord;
}

async function startParts(parts: Parts, start: Start): Promise<void> {
  const { services } = start.surroundings;
  // One that fails ends the starting of the others at once.
  const failed = new AbortController();
  const signal = AbortSignal.any([start.signal, failed.signal]);
  const inner = services.filter((service) => service.prefix !== undefined);
  const databases = openDatabases({
    ...start,
    services,
    env: start.surroundings.env,
    signal,
    events: events(start, 'postgresql'),
  });
  const all = [
    databases.then((opened) => (parts.databases = opened)),
    startService(gatewayOf(services), undefined, { ...start, signal }).then((part) => (parts.gateway = part)),
    ...inner.map(async (service) => {
      const url = await (await databases).prepare(service);
      parts.services.push(await startService(service, url, { ...start, signal }));
    }),
  ];
  let cause: Error | undefined;
  const outcome = all.map((part) =>
    part.catch((error: unknown) => {
      cause ??= error as Error;
      failed.abort();
    }),
  );
  await Promise.all(outcome);
  start.signal.throwIfAborted();
  if (cause !== undefined) throw cause;
}

async function startService(
  service: ServiceDescription,
  databaseUrl: string | undefined,
  { run, surroundings, directory, log, progress, signal, record, onGiveUp }: Start,
): Promise<Pick<Run, 'stop'>> {
  const program = {
    name: service.name,
    args: [
      `--import=${new URL('./end-with-parent.ts', import.meta.url).href}`,
      // A young generation that has grown while starting is kept for good: 12 MB a service that idle ones do not need.
      '--max-semi-space-size=2',
      ...(run === 'source' ? ['--conditions=@tenantry/source', 'src/main.ts'] : ['dist/main.js']),
    ],
    cwd: service.directory,
    env: {
      // Compiled code is kept between starts: a third off the time a service takes to come up.
      NODE_COMPILE_CACHE: join(directory, 'cache'),
      MAIL_DIRECTORY: join(directory, 'mail'),
      ...serviceEnvironment(service, surroundings, databaseUrl),
    },
    readyUrl: `${addressOf(surroundings, service)}/api/health/ready`,
  };
  const listener = {
    line: (text: string) => log.write(service.name, text),
    spawned: (pid: number) => record.add(service.name, pid),
  };
  return progress.step(service.name, () =>
    supervise(
      {
        name: service.name,
        start: (stopping) => startProgram(program, listener, stopping),
        ...events({ log, onGiveUp }, service.name),
      },
      signal,
    ),
  );
}

function events(
  { log, onGiveUp }: Pick<StackOptions, 'log' | 'onGiveUp'>,
  service: string,
): Pick<Supervised, 'onEvent' | 'onGiveUp'> {
  return { onEvent: (sentence) => log.write(service, sentence), onGiveUp };
}

function gatewayOf(services: readonly ServiceDescription[]): ServiceDescription {
  const gateway = services.find(({ prefix }) => prefix === undefined);
  if (gateway === undefined) throw new Error('discoverServices makes sure that there is one');
  return gateway;
}

/** Everything but the claim this start just made. */
async function forget(directory: string): Promise<void> {
  for (const name of ['postgres', 'mail', 'secrets.json']) {
    await rm(join(directory, name), { recursive: true, force: true });
  }
}
