import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@tenantry/test-kit';
import { answering, password, post, startAuthService } from '../auth-process.ts';
import { createPeerDatabase } from '../peer-database.ts';
import type { Caller, CallerRequest } from './load.ts';

/** What is measured. */
export type Action = 'session read' | 'refresh' | 'switch' | 'list of organizations' | 'sign-in';

/** One server under load. */
export interface Contender {
  readonly name: string;
  readonly origin: string;
  readonly pid: number | undefined;
  /** A new user with two organizations who does one thing over and over. */
  readonly caller: (action: Action) => Promise<Caller>;
  readonly stop: () => Promise<void>;
}

const json = { 'content-type': 'application/json' };
const unlimited = '1000000000';

/** auth-service in production mode, asked as any client that is no browser. */
export async function startOurs(): Promise<Contender> {
  const service = await startAuthService({
    RATE_LIMIT_REFRESH_PER_MINUTE: unlimited,
    RATE_LIMIT_INVITATIONS_PER_HOUR: unlimited,
    RATE_LIMIT_INVITATIONS_PER_USER_PER_HOUR: unlimited,
    RATE_LIMIT_ORGANIZATIONS_PER_DAY: unlimited,
    MAX_ORGANIZATIONS_PER_USER_UNCONFIRMED: unlimited,
    MAX_PEOPLE_PER_ORGANIZATION_UNCONFIRMED: unlimited,
    RATE_LIMIT_PASSWORDS_PER_MINUTE: unlimited,
    RATE_LIMIT_PASSWORDS_PER_ADDRESS_PER_MINUTE: unlimited,
  });
  const { url: origin, pid, stop } = service;
  return { name: 'auth-service', origin, pid, caller, stop };

  async function caller(action: Action): Promise<Caller> {
    const email = `${randomUUID()}@example.com`;
    // The session is bound to it.
    const device = { 'x-device-id': randomUUID() };
    const signedUp = await ask('sign-up/email', { email, password, name: 'Ada' }, device);
    const { session } = JSON.parse(signedUp.text) as { session: { token: string; refreshToken: string } };
    const headers = { authorization: `Bearer ${session.token}` };
    const organizations = await Promise.all([newOrganization(headers), newOrganization(headers)]);
    let { refreshToken } = session;
    return {
      next: requestsOf(action, '/api/auth', {
        'session read': () => ({ method: 'GET', path: 'session', headers }),
        refresh: () => ({
          method: 'POST',
          path: 'refresh',
          headers: { ...device, ...json },
          body: { refreshToken },
        }),
        switch: (count) => ({
          method: 'POST',
          path: 'organization/switch',
          headers: { ...headers, ...json },
          body: { organizationId: organizations[count % 2] },
        }),
        'list of organizations': () => ({ method: 'GET', path: 'organization/list', headers }),
        'sign-in': () => ({
          method: 'POST',
          path: 'sign-in/email',
          headers: json,
          body: { email, password },
        }),
      }),
      answered(text) {
        if (action !== 'refresh') return;
        ({ refreshToken } = (JSON.parse(text) as { session: { refreshToken: string } }).session);
      },
    };
  }

  async function newOrganization(headers: Record<string, string>): Promise<string> {
    const body = { name: 'Engines', slug: `engines-${randomUUID().slice(0, 8)}` };
    const { text } = await ask('organization/create', body, headers);
    return (JSON.parse(text) as { organization: { id: string } }).organization.id;
  }

  function ask(path: string, body: object, headers = {}) {
    return successful(`${service.url}/api/auth/${path}`, body, headers);
  }
}

/** Better Auth in a process and a database of its own on the same server, asked as a browser with its cookies. */
export async function startBetterAuth(
  variant: 'as documented' | 'unsigned reads' | 'tuned',
): Promise<Contender> {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const database = await createPeerDatabase();
  const secret = randomBytes(32).toString('base64');
  const process = start('better-auth.ts', [database.url, origin, secret, variant]);
  await answering(`${origin}/api/auth/ok`, () => process.exitCode === null);
  const stop = async () => {
    await end(process);
    await database.drop();
  };
  return { name: `Better Auth, ${variant}`, origin, pid: process.pid, caller, stop };

  async function caller(action: Action): Promise<Caller> {
    const email = `${randomUUID()}@example.com`;
    const signedUp = await ask('sign-up/email', { email, password, name: 'Ada' });
    const cookies = signedUp.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
    const headers = { cookie: cookies.join('; '), origin };
    const organizations = [await newOrganization(headers), await newOrganization(headers)];
    return {
      next: requestsOf(action, '/api/auth', {
        'session read': () => ({ method: 'GET', path: 'get-session', headers }),
        refresh: () => ({ method: 'GET', path: 'token', headers }),
        switch: (count) => ({
          method: 'POST',
          path: 'organization/set-active',
          headers: { ...headers, ...json },
          body: { organizationId: organizations[count % 2] },
        }),
        'list of organizations': () => ({ method: 'GET', path: 'organization/list', headers }),
        'sign-in': () => ({
          method: 'POST',
          path: 'sign-in/email',
          headers: { ...json, origin },
          body: { email, password },
        }),
      }),
    };
  }

  async function newOrganization(headers: Record<string, string>): Promise<string> {
    const body = { name: 'Engines', slug: `engines-${randomUUID().slice(0, 8)}` };
    const { text } = await ask('organization/create', body, headers);
    return (JSON.parse(text) as { id: string }).id;
  }

  function ask(path: string, body: object, headers = {}) {
    return successful(`${origin}/api/auth/${path}`, body, { origin, ...headers });
  }
}

/** bcrypt behind a bare server, at the cost that auth-service has by default. */
export async function startBareBcrypt(): Promise<Contender> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const process = start('bare-bcrypt.ts', [String(port), '12']);
  await answering(origin, () => process.exitCode === null);
  const caller = async (): Promise<Caller> => ({ next: () => ({ method: 'GET', path: '/', headers: {} }) });
  return { name: 'bare bcrypt, cost 12', origin, pid: process.pid, caller, stop: () => end(process) };
}

type Requests = Readonly<Record<Action, (count: number) => CallerRequest>>;

function requestsOf(action: Action, prefix: string, requests: Requests): () => CallerRequest {
  let count = 0;
  return () => {
    const { path, ...request } = requests[action](count++);
    return { ...request, path: `${prefix}/${path}` };
  };
}

async function successful(url: string, body: object, headers: Readonly<Record<string, string>>) {
  const answer = await post(url, body, headers);
  if (answer.status >= 300) throw new Error(`${url} is ${answer.status} ${answer.text}`);
  return answer;
}

function start(file: string, args: readonly string[]): ChildProcess {
  const program = fileURLToPath(new URL(file, import.meta.url));
  return spawn(process.execPath, [program, ...args], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

async function end(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const ended = once(process, 'exit');
  process.kill('SIGTERM');
  await ended;
}
