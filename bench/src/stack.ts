import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';

/** All services with a database of their own, as `npm start` runs them. */
export interface Stack {
  /** The gateway's. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const source = new URL('../../tools/src/start/stack.ts', import.meta.url);
const log = { write: () => undefined, release: () => undefined };
const progress = {
  step: (_name: string, work: () => unknown) => work(),
  note: () => undefined,
  end: () => undefined,
};

const unlimited = '1000000000';
/** Limits on what costs much; that on requests of any kind is the gateway's. */
const limits = [
  ...['SIGN_IN', 'PDFS', 'PASSWORDS', 'PASSWORDS_PER_ADDRESS'].map((name) => `${name}_PER_MINUTE`),
  ...['SIGN_IN', 'SIGN_UP', 'USERS', 'USERS_PER_ORGANIZATION', 'USERS_PER_ADDRESS'].map(
    (name) => `${name}_PER_HOUR`,
  ),
].map((name) => `RATE_LIMIT_${name}`);

/**
 * Starts the services, with the limits lifted by which one address is kept from doing what a bench does.
 *
 * @param env settings of all of them, over those that are made here
 */
export async function startStack(env: Readonly<Record<string, string>> = {}): Promise<Stack> {
  const directory = mkdtempSync(join(tmpdir(), 'tenantry-bench-'));
  const { startStack: start } = (await import(source.href)) as {
    startStack: (options: object) => Promise<Stack>;
  };
  const started = await start({
    workspaceRoot,
    directory,
    run: 'source',
    fresh: true,
    log,
    progress,
    env: {
      ...process.env,
      PORT: '0',
      LOG_LEVEL: 'fatal',
      TRUST_PROXY: '127.0.0.1/32',
      RATE_LIMIT_PER_MINUTE: unlimited,
      ...Object.fromEntries(limits.map((name) => [name, unlimited])),
      ...env,
    },
    signal: new AbortController().signal,
    onGiveUp: (error: Error) => {
      throw error;
    },
  });
  return {
    url: started.url,
    async stop() {
      await started.stop();
      rmSync(directory, { recursive: true });
    },
  };
}
