import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ExplainedError } from '@tenantry/dev-database';
import { ensureSecrets } from '../secrets.ts';
import { discoverServices, type ServiceDescription } from '../services.ts';
import { withConsole } from './console.ts';
import { openDatabases } from './databases.ts';
import {
  openedAddressOf,
  downstreamEnvironment,
  readEnvironment,
  type Environment,
  type Surroundings,
} from './environment.ts';
import { Parts } from './parts.ts';
import { releasePorts, takePorts, type HeldPorts } from './ports.ts';
import { takeOver, type RunRecord } from './run-record.ts';
import { startService, type ServiceOptions } from './service-part.ts';

/** What a stack is started with. */
export interface StackOptions extends ServiceOptions {
  workspaceRoot: string;
  /** Holds secrets and data; `.tenantry` at the root by default. */
  directory?: string;
  env: Environment;
  /** Where each service listens; by default the standard ports, or other ones where some of them are taken. */
  ports?: ReadonlyMap<string, number>;
  /** Removes the data of earlier starts first. */
  fresh: boolean;
}

/** All services, running. */
export interface Stack {
  /** Address of the gateway. */
  url: string;
  /** The environment, `.env` included. */
  env: Environment;
  /** What a service of somebody else's needs to verify tokens. */
  downstream: Environment;
  /** Where secrets and data lie. */
  directory: string;
  services: readonly ServiceDescription[];
  /** The address of the superuser of an embedded PostgreSQL. */
  adminUrl: string | undefined;
  /** Addresses for a debugger, by the service that was asked for. */
  debuggers: ReadonlyMap<string, string>;
  /** Resolves once everything serves at the same time. */
  whenServing: () => Promise<void>;
  /** Starts a service again, by its name. */
  restart: (service: string) => void;
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
  refuseUnknown(options.inspected ?? [], services);
  const env = readEnvironment(workspaceRoot, options.env);
  const record = await takeOver(directory);
  const parts = new Parts(record);
  try {
    if (options.fresh) await forget(directory);
    const held = await takePorts(services, { requested: env['PORT'], settled: options.ports });
    try {
      const names = new Set(services.flatMap((service) => service.secrets));
      const secrets = await ensureSecrets(directory, [...names]);
      const ports = new Map([...held].map(([name, { port }]) => [name, port]));
      const surroundings = { services, ports, secrets, env };
      await startParts(parts, { ...options, directory, surroundings, held, record });
      return runningStack(parts, { surroundings, directory });
    } finally {
      releasePorts(held);
    }
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

function runningStack(
  parts: Parts,
  { surroundings, directory }: { surroundings: Surroundings; directory: string },
): Stack {
  const { services, env } = surroundings;
  return {
    url: openedAddressOf(surroundings, gatewayOf(services)),
    env,
    downstream: downstreamEnvironment(surroundings),
    directory,
    services,
    adminUrl: parts.databases?.adminUrl,
    debuggers: parts.debuggers,
    whenServing: () => parts.whenServing(),
    restart: (name) => parts.restart(name),
    stop: () => parts.stop(),
  };
}

interface Start extends StackOptions {
  directory: string;
  surroundings: Surroundings;
  held: HeldPorts;
  record: RunRecord;
}

async function startParts(parts: Parts, start: Start): Promise<void> {
  const { services } = start.surroundings;
  // One that fails ends the starting of the others immediately.
  const failed = new AbortController();
  const signal = AbortSignal.any([start.signal, failed.signal]);
  const inner = services.filter((service) => service.prefix !== undefined);
  const databases = openDatabases({
    ...start,
    services,
    env: start.surroundings.env,
    signal,
    events: { onEvent: (sentence) => start.log.write('postgresql', sentence), onGiveUp: start.onGiveUp },
  });
  const surroundings = withConsole({ ...start, signal });
  const startPart = async (service: ServiceDescription, prepare: () => Promise<string | undefined>) =>
    startService(service, prepare, {
      ...start,
      surroundings: await surroundings,
      signal,
      debuggers: parts.debuggers,
    });
  const all = [
    databases.then((opened) => (parts.databases = opened)),
    startPart(gatewayOf(services), async () => undefined).then((part) => (parts.gateway = part)),
    ...inner.map(async (service) => {
      const prepare = async () => (await databases).prepare(service);
      parts.services.push(await startPart(service, prepare));
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

function gatewayOf(services: readonly ServiceDescription[]): ServiceDescription {
  const gateway = services.find(({ prefix }) => prefix === undefined);
  if (gateway === undefined) throw new Error('discoverServices makes sure that there is one');
  return gateway;
}

function refuseUnknown(names: readonly string[], services: readonly ServiceDescription[]): void {
  const known = services.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new ExplainedError(`There is no service "${unknown}" to inspect. There are: ${known.join(', ')}.`);
}

/** Everything but the claim this start just made. */
async function forget(directory: string): Promise<void> {
  for (const name of ['postgres', 'mail', 'secrets.json']) {
    await rm(join(directory, name), { recursive: true, force: true });
  }
}
