import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, endWithProcess, freePort } from '@tenantry/test-kit';
import pg from 'pg';

/** auth-service as it is run, in a process and with a database of its own. */
export interface AuthProcess {
  readonly url: string;
  readonly pid: number | undefined;
  readonly sql: (text: string, values?: unknown[]) => Promise<unknown>;
  stop: () => Promise<void>;
}

/** An account with a session. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

export const password = 'correct horse battery';

const unlimited = '1000000000';
const program = fileURLToPath(new URL('../../apps/auth-service/src/main.ts', import.meta.url));

/** Starts it in production mode; the limits on one client address are lifted, since all load comes from one. */
export async function startAuthService(
  settings: Readonly<Record<string, string>> = {},
): Promise<AuthProcess> {
  const database = await createTestDatabase('auth-service');
  const mail = mkdtempSync(join(tmpdir(), 'tenantry-bench-mail-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['--conditions=@tenantry/source', program], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      LOG_LEVEL: 'fatal',
      PORT: String(port),
      DATABASE_URL: database.runtimeUrl,
      AUTH_URL: `${url}/api/auth`,
      AUTH_SECRET: randomBytes(48).toString('base64'),
      INTERNAL_API_KEY: randomBytes(48).toString('base64'),
      FRONTEND_URL: 'https://app.example.com',
      MAIL_DIRECTORY: mail,
      RATE_LIMIT_SIGN_IN_PER_MINUTE: unlimited,
      RATE_LIMIT_SIGN_IN_PER_HOUR: unlimited,
      RATE_LIMIT_SIGN_UP_PER_HOUR: unlimited,
      RATE_LIMIT_REFUSED_SIGN_UPS_PER_HOUR: unlimited,
      RATE_LIMIT_MAIL_PER_10_MINUTES: unlimited,
      ...settings,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = once(child, 'exit');
  endWithProcess(child);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const admin = new pg.Pool({ connectionString: database.adminUrl, max: 1 });
  admin.on('error', () => undefined);
  await answering(`${url}/api/health/ready`, () => child.exitCode === null);
  return {
    url,
    pid: child.pid,
    sql: (text, values) => admin.query(text, values),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await admin.end();
      await database.drop();
      rmSync(mail, { recursive: true, force: true });
    },
  };
}

/** Sends JSON and gives the whole answer. */
export async function post(url: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Makes an account. */
export async function signUp({ url }: Pick<AuthProcess, 'url'>): Promise<Account> {
  const email = `${randomUUID()}@example.com`;
  const { status, text } = await post(`${url}/api/auth/sign-up/email`, { email, password, name: 'Ada' });
  if (status !== 201) throw new Error(`sign-up answered ${status}: ${text}`);
  const { user, session } = JSON.parse(text) as { user: { id: string }; session: { token: string } };
  return { id: user.id, email, token: session.token };
}

/** Waits until an address answers well, for as long as what should answer is alive. */
export async function answering(url: string, alive: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 2_400 && alive(); attempt += 1) {
    if ((await fetch(url).catch(() => undefined))?.ok) return;
    await sleep(50);
  }
  throw new Error(`${url} does not answer`);
}
