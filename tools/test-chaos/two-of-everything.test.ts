import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { workspaceRoot } from '@tenantry/dev-database';
import { canary } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../test/support/tenantry.ts';
import {
  createAsk,
  signIn,
  signUp,
  type Account,
  type Ask,
  type Question,
  type Reply,
  type Session,
} from './support/client.ts';
import { deploy, type Deployment } from './support/deployment.ts';
import { startMailServer, type MailServer } from './support/mail-server.ts';

const requestsPerMinute = 300;
const signInsPerMinute = 10;
/** What any member may read. */
const listings = [
  ['leads-service', '/api/leads'],
  ['users-service', '/api/users'],
] as const;

describe('two of everything behind two gateways', () => {
  let mail: MailServer;
  let deployment: Deployment;
  let ada: Account;
  /** One client that asks both gateways in turn. */
  let ask: Ask;

  beforeAll(async () => {
    mail = await startMailServer();
    deployment = await deploy({
      gateways: 2,
      replicas: { 'auth-service': 2, 'leads-service': 2, 'users-service': 2 },
      mailPort: mail.port,
      settings: {
        gateway: { RATE_LIMIT_PER_MINUTE: String(requestsPerMinute) },
        'auth-service': { RATE_LIMIT_SIGN_IN_PER_MINUTE: String(signInsPerMinute) },
      },
    });
    ask = newClient();
    ada = await signUp(ask);
  });
  afterAll(async () => {
    await deployment.stop();
    await mail.stop();
  });

  function newClient(): Ask {
    let turn = 0;
    return createAsk(() => deployment.gateways[(turn += 1) % 2]?.url ?? '');
  }
  /** The statuses of one request that is sent so many times, through both gateways. */
  const statuses = async (client: Ask, question: Question, count: number): Promise<number[]> => {
    const answers = await Promise.all(Array.from({ length: count }, () => client(question)));
    return answers.map(({ status }) => status);
  };
  const times = (count: number, status: number) => Array<number>(count).fill(status);
  const parsed = ({ text }: Reply): unknown => JSON.parse(text);
  const newLead = () => ({ name: 'Charles Babbage', email: `${randomUUID()}@lead.example` });

  it('have one session, whichever of them is asked [S-163]', async () => {
    const read = { method: 'GET', path: '/api/auth/session', token: ada.token };
    expect(await statuses(ask, read, 8)).toEqual(times(8, 200));
    for (let round = 0; round < 6; round += 1) {
      const body = { refreshToken: ada.refreshToken };
      // Two tabs renew at once, each by another gateway.
      const renewal = { method: 'POST', path: '/api/auth/refresh', body };
      const answers = await Promise.all([ask(renewal), ask(renewal)]);
      const [one, other] = answers.map((answer) => (parsed(answer) as { session: Session }).session);
      expect(one?.refreshToken).toBe(other?.refreshToken);
      Object.assign(ada, { token: one?.token, refreshToken: one?.refreshToken });
      expect(await statuses(ask, { method: 'GET', path: '/api/leads', token: ada.token }, 4)).toEqual(
        times(4, 200),
      );
    }
  });

  it('count one limit together [S-163]', async () => {
    const stranger = newClient();
    const answers = await statuses(stranger, { method: 'GET', path: '/api/leads' }, requestsPerMinute + 50);
    expect(answers.filter((status) => status === 401)).toHaveLength(requestsPerMinute);
    expect(answers.filter((status) => status === 429)).toHaveLength(50);

    const guesser = newClient();
    const guesses = await Promise.all(
      Array.from({ length: 2 * signInsPerMinute }, (_, index) => {
        const body = { email: `nobody-${index}@people.example`, password: 'not the password' };
        return guesser({ method: 'POST', path: '/api/auth/sign-in/email', body });
      }),
    );
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(signInsPerMinute);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(signInsPerMinute);
  });

  it('know within a second what was revoked by one of them [S-163]', async () => {
    for (let round = 0; round < 4; round += 1) {
      const client = newClient();
      const { token } = await signIn(client, ada);
      const read = { method: 'GET', path: '/api/leads', token };
      expect(await statuses(client, read, 4)).toEqual(times(4, 200));
      expect((await client({ method: 'POST', path: '/api/auth/sign-out', token })).status).toBe(200);
      await eventually(async () => {
        for (const [service, path] of listings) {
          for (const { url } of deployment.of(service)) {
            expect((await createAsk(() => url)({ method: 'GET', path, token })).status).toBe(401);
          }
        }
      }, 1_000);
      expect(await statuses(client, read, 8)).toEqual(times(8, 401));
    }
  });

  it('do once what is sent under one Idempotency-Key to both concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const question = {
        method: 'POST',
        path: '/api/leads',
        body: newLead(),
        token: ada.token,
        key: randomUUID(),
      };
      const answers = await Promise.all(Array.from({ length: 8 }, () => ask(question)));
      expect(answers.map(({ status }) => status)).toEqual(times(8, 201));
      const ids = answers.map((answer) => (parsed(answer) as { data: { id: string } }).data.id);
      expect(new Set(ids).size).toBe(1);
    }
  });

  it('send each letter once [S-163]', async () => {
    const forgetful = await Promise.all(Array.from({ length: 12 }, () => signUp(ask)));
    await Promise.all(
      forgetful.map(({ email }) =>
        ask({ method: 'POST', path: '/api/auth/password/forgot', body: { email } }),
      ),
    );
    const arrived = () =>
      mail.letters.filter(({ to }) => forgetful.some(({ email }) => email === to)).map(({ id }) => id);
    // One to confirm the address, and one to reset the password.
    await eventually(() => expect(new Set(arrived()).size).toBe(2 * forgetful.length), 15_000);
    // Longer than any of them waits before it looks again.
    await sleep(2_500);
    expect(arrived()).toHaveLength(2 * forgetful.length);
  });

  it('list each member once, within a second of the change, whichever instance reads the events', async () => {
    const made = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const email = `${randomUUID()}@people.example`;
        const body = { email, password: `${canary} ${randomUUID()}`, firstName: 'Grace', lastName: 'Hopper' };
        const answer = await ask({
          method: 'POST',
          path: '/api/users',
          body,
          token: ada.token,
          key: randomUUID(),
        });
        expect(answer.status, answer.text).toBe(201);
        return email;
      }),
    );
    const expected = [ada.email, ...made].toSorted();
    for (const { url } of deployment.of('users-service')) {
      const path = '/api/users?pageSize=100';
      const direct = createAsk(() => url);
      await eventually(async () => {
        const answer = await direct({ method: 'GET', path, token: ada.token });
        const { data } = parsed(answer) as { data: { email: string }[] };
        expect(data.map(({ email }) => email).toSorted()).toEqual(expected);
      }, 1_000);
    }
  });

  it('sign with the same key, and with the next one once it is removed [S-163]', async () => {
    const kid = ({ token }: Session) =>
      (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;
    const signingKids = async () => {
      const sessions = deployment.of('auth-service').map(async ({ url }) =>
        signIn(
          createAsk(() => url),
          ada,
        ),
      );
      return (await Promise.all(sessions)).map(kid);
    };
    const [before, alsoBefore] = await signingKids();
    expect(alsoBefore).toBe(before);
    await promisify(execFile)(
      process.execPath,
      ['--conditions=@tenantry/source', 'src/keys.ts', 'remove', before ?? ''],
      {
        cwd: join(workspaceRoot, 'apps/auth-service'),
        env: { PATH: process.env['PATH'], ...deployment.environment('auth-service') },
      },
    );
    const [after, alsoAfter] = await signingKids();
    expect(after).not.toBe(before);
    expect(alsoAfter).toBe(after);
    const client = newClient();
    const { token } = await signIn(client, ada);
    // A verifier that meets the key fetches it at once.
    expect(await statuses(client, { method: 'GET', path: '/api/leads', token }, 8)).toEqual(times(8, 200));
    const old = { method: 'GET', path: '/api/auth/session', token: ada.token };
    expect(await statuses(client, old, 4)).toEqual(times(4, 401));
  });
});
