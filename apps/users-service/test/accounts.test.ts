import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import {
  openTestFeed,
  refusal,
  startTestService,
  type TestEvent,
  type TestFeed,
  type TestService,
} from '@tenantry/service-tests';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { service } from '../src/service.ts';

// auth-service as the directory sees it: its feed of events, and accounts that are asked of it.

interface Asked {
  readonly method: string | undefined;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}
interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
  /** The events of it that the directory gets. */
  readonly event?: TestEvent;
}

let feed: TestFeed;
let auth: Server;
let running: TestService;
let asked: Asked[];
let answer: Answer;

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url: path = '', headers } = request;
  if (!path.startsWith('/internal/users')) {
    const { authorization = '' } = headers;
    const told = await fetch(`${feed.config.AUTH_INTERNAL_URL}${path}`, { headers: { authorization } }).catch(
      () => undefined,
    );
    response.writeHead(told?.status ?? 503).end(await told?.text());
    return;
  }
  asked.push({ method, path, headers, body: (await json(request).catch(() => ({}))) as Asked['body'] });
  if (answer.event) feed.tell(answer.event);
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
  response.end(JSON.stringify(answer.body));
}

beforeAll(async () => {
  feed = await openTestFeed();
  auth = createServer((request, response) => void receive(request, response)).listen(0, '127.0.0.1');
  await once(auth, 'listening');
  const url = `http://127.0.0.1:${(auth.address() as AddressInfo).port}`;
  const env = { ...feed.env, AUTH_INTERNAL_URL: url, TRUST_PROXY: '127.0.0.1' };
  running = await startTestService(service, { env });
  await running.app.ready();
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  await running.close();
  auth.closeAllConnections();
  auth.close();
  await feed.close();
});

/** A user as in auth-service's events. */
const person = (userId: string, name: string) => ({
  ...{ userId, name, familyName: null, role: 'member' },
  ...{ email: `${userId}@example.com`, createdAt: '2026-11-21T10:00:00.000Z' },
});
const newUser = () => ({
  email: `${randomUUID()}@example.com`,
  password: 'correct horse battery',
  firstName: 'Grace',
  lastName: 'Hopper',
});

describe('a user who is to be created', () => {
  it('is asked of auth-service with who asks, in which organization and from which address [S-20]', async () => {
    const [actorUserId, userId] = [randomUUID(), randomUUID()];
    const admin = await running.member({ role: 'admin', sub: actorUserId });
    const { organizationId } = admin;
    const event = { type: 'member.added', organizationId, ...person(userId, 'Grace Hopper') };
    const user = {
      id: userId,
      email: 'grace@example.com',
      name: 'Grace Hopper',
      createdAt: '2026-01-01T00:00:00Z',
    };
    answer = { status: 201, body: { user }, event };
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const created = await admin.send('POST', '/api/users', { body: newUser(), headers });
    expect(created.status).toBe(201);
    expect(asked).toMatchObject([
      {
        ...{ method: 'POST', path: '/internal/users' },
        headers: { 'x-client-address': '203.0.113.9' },
        body: { organizationId, actorUserId },
      },
    ]);
    // Not in the body, which an auth-service of an earlier version takes as it was.
    expect(Object.keys(asked[0]?.body ?? {})).not.toContain('clientAddress');
  });

  it('is refused in the words of auth-service where the organization has no place left', async () => {
    const admin = await running.member({ role: 'admin' });
    const full = { code: 'QUOTA_EXCEEDED', reason: 'PEOPLE_UNCONFIRMED', message: 'Full until confirmed.' };
    answer = { status: 409, body: full };
    const refused = await admin.send('POST', '/api/users', { body: newUser() });
    expect(refused).toMatchObject({ status: 409, body: { error: full } });
  });

  it('has an address in its stored form, whichever way its international domain is written', async () => {
    const admin = await running.member({ role: 'admin' });
    answer = { status: 422, body: { code: 'USER_ALREADY_EXISTS', message: 'Taken.' } };
    for (const email of ['max@müller-dach.example', 'max@XN--MLLER-DACH-9DB.example']) {
      await admin.send('POST', '/api/users', { body: { ...newUser(), email } });
    }
    const email = 'max@xn--mller-dach-9db.example';
    expect(asked).toMatchObject([{ body: { email } }, { body: { email } }]);
    const refused = await admin.send('POST', '/api/users', {
      body: { ...newUser(), email: 'mäx@example.com' },
    });
    expect(refused.body.error.details).toMatchObject([{ field: 'email', rule: 'localPart' }]);
  });

  it.each([
    [429, 'RATE_LIMITED', 'Too many users created. Try again in about an hour.'],
    [503, 'UPSTREAM_UNAVAILABLE', 'Too many passwords are being checked right now. Try again shortly.'],
  ])(
    'is refused with %i as auth-service refuses it, by name and with the time to come back',
    async (status, code, message) => {
      const admin = await running.member({ role: 'admin' });
      const headers = { 'retry-after': '1234', 'ratelimit-policy': '"users-3600";q=60;w=3600' };
      answer = { status, headers: { ...headers, 'x-other': 'kept back' }, body: { code, message } };
      const refused = await admin.send('POST', '/api/users', { body: newUser() });
      expect(refused).toMatchObject({ status, body: { data: null, error: { code, message } } });
      expect(refused.headers).toMatchObject(headers);
      expect(refused.headers).not.toHaveProperty('x-other');
    },
  );
});

describe('an id in capitals', () => {
  /** A member who acts for themselves, and their path with the id in capitals. */
  async function oneself(role: 'admin' | 'member') {
    const userId = randomUUID();
    const caller = await running.member({ role, sub: userId });
    const { organizationId } = caller;
    const told = { organizationId, ...person(userId, 'Ada Lovelace'), role };
    feed.tell({ type: 'member.added', ...told });
    return { caller, userId, told, path: `/api/users/${userId.toUpperCase()}` };
  }

  it('is oneself all the same: an admin cannot delete their own user', async () => {
    const { caller, path } = await oneself('admin');
    const small = await caller.send('DELETE', path.toLowerCase());
    const large = await caller.send('DELETE', path);
    expect(small).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    expect(refusal(large)).toEqual(refusal(small));
    expect(asked).toEqual([]);
  });

  it('is oneself all the same: a member changes their own name', async () => {
    const { caller, path, userId, told } = await oneself('member');
    const name = 'Ada King';
    answer = {
      status: 200,
      body: { user: person(userId, name) },
      event: { type: 'user.updated', ...told, name },
    };
    const changed = await caller.send('PUT', path, { body: { lastName: 'King' } });
    expect(changed).toMatchObject({ status: 200, body: { data: { id: userId, lastName: 'King' } } });
    expect(asked).toMatchObject([{ path: `/internal/users/${userId}`, body: { actorUserId: userId } }]);
  });
});

describe('a name that is longer than the users API shows', () => {
  /** A user in the directory, as in auth-service's events. */
  async function known(name: string) {
    const admin = await running.member({ role: 'admin' });
    const userId = randomUUID();
    const { organizationId } = admin;
    feed.tell({ type: 'member.added', organizationId, ...person(userId, name) });
    await expect.poll(async () => (await admin.send('GET', `/api/users/${userId}`)).status).toBe(200);
    const event = { type: 'user.updated', organizationId, ...person(userId, `${long} Lind`) };
    answer = { status: 200, body: { user: person(userId, name) }, event };
    return { admin, path: `/api/users/${userId}` };
  }
  const long = 'Wolfeschlegelsteinhausenbergerdorff-Wilhelmina-Josephine-Maria';

  it('keeps its first name whole when the last name is changed', async () => {
    const { admin, path } = await known(`${long} Berg`);
    const changed = await admin.send('PUT', path, { body: { lastName: 'Lind' } });
    expect(changed.status).toBe(200);
    expect(asked.at(-1)?.body).toMatchObject({ name: `${long} Lind`, familyName: 'Lind' });
    expect(changed.body.data).toMatchObject({ firstName: long.slice(0, 50), lastName: 'Lind' });
  });

  it('is not written at all where it is given as it was shown', async () => {
    const { admin, path } = await known(`${long} Berg`);
    const body = { firstName: long.slice(0, 50), lastName: 'Berg' };
    expect((await admin.send('PUT', path, { body })).status).toBe(200);
    expect(asked).toEqual([]);
  });

  it('takes no further part that does not fit beside it, and says which', async () => {
    const { admin, path } = await known(`${long} Berg`);
    const refused = await admin.send('PUT', path, { body: { lastName: 'y'.repeat(50) } });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: [{ field: 'lastName' }] } },
    });
    expect(asked).toEqual([]);
  });
});

describe('a change of one’s own name', () => {
  it('is refused in the words of auth-service where an identity provider has started the session', async () => {
    const userId = randomUUID();
    const ada = await running.member({ role: 'member', sub: userId });
    const { organizationId } = ada;
    feed.tell({ type: 'member.added', organizationId, ...person(userId, 'Ada Lovelace') });
    const confined = { code: 'SIGN_IN_REQUIRED', message: 'Sign in with your own password or passkey.' };
    answer = { status: 403, body: confined };
    const refused = await ada.send('PATCH', `/api/users/${userId}`, { body: { firstName: 'Eve' } });
    expect(refused).toMatchObject({ status: 403, body: { error: confined } });
    expect(asked).toMatchObject([
      { method: 'PATCH', headers: { 'x-session-id': expect.any(String) as string } },
    ]);
  });
});
