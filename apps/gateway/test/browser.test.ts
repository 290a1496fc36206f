import { bindingClaim, bindingDigest, cookieNames, csrfDigest } from '@tenantry/service/browser';
import { describe, expect, it } from 'vitest';
import { eventually, send, type Answer } from './support/client.ts';
import { startGateway, type RunningGateway } from './support/gateway.ts';
import { startUpstream, unusedPort, type RunningUpstream } from './support/upstream.ts';

const frontend = 'https://app.example.com';
const csrfToken = 'the-token-of-this-session';
const sessionId = '11111111-1111-4111-8111-111111111111';
const deviceCookie = `${'d'.repeat(22)}.${'s'.repeat(43)}`;
const ownDevice = `browser/${'d'.repeat(22)}`;
const unsafe = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** An access token as far as the gateway reads it; whether it is signed is for the service to say. */
function tokenFor(address = '127.0.0.1', device = ownDevice): string {
  return tokenBoundBy(bindingClaim({ sessionId, device, addresses: [address] }, 'ip+device'));
}
function tokenBoundBy(bnd: string | null): string {
  const claims = { sid: sessionId, csh: csrfDigest(csrfToken), bnd };
  return `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
}
const jar = (token: string) =>
  `theme=dark; ${cookieNames.access}=${token}; ${cookieNames.refresh}=r; ${cookieNames.device}=${deviceCookie}`;
const fromPage = { origin: frontend, 'x-csrf-token': csrfToken };

interface Stack {
  readonly gateway: RunningGateway;
  readonly leads: RunningUpstream;
  readonly auth: RunningUpstream;
}
async function startStack(): Promise<Stack> {
  const leads = await startUpstream((_request, response) => void response.end('{}'));
  const auth = await startUpstream((_request, response) => {
    response.setHeader('set-cookie', ['a=1; Secure', 'b=2; Secure']);
    response.setHeader('access-control-allow-origin', 'https://other.example.com');
    response.end('{}');
  });
  const routes = [`/api/leads=${leads.url}`, `/api/auth=${auth.url}`];
  const settings = { NODE_ENV: 'production', FRONTEND_URL: frontend } as const;
  return { gateway: await startGateway(routes, settings), leads, auth };
}
const codeOf = ({ text }: Answer) => (JSON.parse(text) as { error: { code: string } }).error.code;

describe('a session in a cookie', () => {
  it('reaches a business service as a bearer token, and no cookie with it', async () => {
    const { gateway, leads } = await startStack();
    const token = tokenFor();
    const read = await send(gateway.port, '/api/leads', { headers: { cookie: jar(token) } });
    expect(read.status).toBe(200);
    for (const method of unsafe) {
      const { status } = await send(gateway.port, '/api/leads/1', {
        method,
        headers: { cookie: jar(token), ...fromPage },
      });
      expect(status).toBe(200);
    }
    expect(leads.requests).toHaveLength(5);
    for (const { headers } of leads.requests) {
      expect(headers.authorization).toBe(`Bearer ${token}`);
      expect(headers.cookie).toBeUndefined();
    }
  });

  it.each([
    ['without a CSRF token', { 'x-csrf-token': undefined }, 'CSRF_FAILED'],
    ["with another session's CSRF token", { 'x-csrf-token': 'another' }, 'CSRF_FAILED'],
    ['from another page', { origin: 'https://evil.example' }, 'ORIGIN_NOT_ALLOWED'],
    ['from a page of no origin', { origin: 'null' }, 'ORIGIN_NOT_ALLOWED'],
    ['from an origin that looks alike', { origin: `${frontend}.evil.example` }, 'ORIGIN_NOT_ALLOWED'],
    ['without Origin', { origin: undefined }, 'ORIGIN_NOT_ALLOWED'],
    ['from another site', { origin: undefined, 'sec-fetch-site': 'cross-site' }, 'ORIGIN_NOT_ALLOWED'],
  ])('changes nothing %s', async (_name, headers, code) => {
    const { gateway, leads } = await startStack();
    for (const method of unsafe) {
      const sent = { cookie: jar(tokenFor()), ...fromPage, ...headers };
      const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
      const answer = await send(gateway.port, '/api/leads/1', { method, headers: given });
      expect({ status: answer.status, code: codeOf(answer) }).toEqual({ status: 403, code });
    }
    expect(leads.requests).toHaveLength(0);
  });

  it('is not sent with a plain form, which is unauthenticated from any page [S-200]', async () => {
    const { gateway, leads } = await startStack();
    for (const origin of [frontend, 'null', 'https://evil.example']) {
      const type = 'application/x-www-form-urlencoded';
      const headers = { cookie: jar(tokenFor()), origin, 'content-type': type };
      await send(gateway.port, '/api/leads/1', { method: 'POST', headers });
    }
    expect(leads.requests).toHaveLength(3);
    for (const { headers } of leads.requests) {
      expect(headers.authorization).toBeUndefined();
      expect(headers.cookie).toBeUndefined();
    }
  });

  it('is taken from our own origin as the browser itself says it', async () => {
    const { gateway } = await startStack();
    const headers = { cookie: jar(tokenFor()), 'x-csrf-token': csrfToken, 'sec-fetch-site': 'same-origin' };
    expect((await send(gateway.port, '/api/leads', { method: 'POST', headers })).status).toBe(200);
  });

  it.each([
    ['another address', tokenFor('203.0.113.7'), 'SESSION_ADDRESS_CHANGED'],
    [
      'another address, from before its claim told it from a device',
      tokenBoundBy(bindingDigest({ sessionId, device: ownDevice, address: '203.0.113.7' }, 'ip+device')),
      'UNAUTHENTICATED',
    ],
    ['another device', tokenFor('127.0.0.1', 'browser/someone-else'), 'UNAUTHENTICATED'],
    ['another device at another address', tokenFor('203.0.113.7', 'browser/someone-else'), 'UNAUTHENTICATED'],
  ])('of %s is refused, and the auth service learns of it', async (_name, token, code) => {
    const { gateway, leads, auth } = await startStack();
    const headers = { cookie: jar(token), 'user-agent': 'Thief/1', ...fromPage };
    const answer = await send(gateway.port, '/api/leads', { method: 'POST', headers });
    expect({ status: answer.status, code: codeOf(answer) }).toEqual({ status: 401, code });
    expect(leads.requests).toHaveLength(0);

    await eventually(() => auth.requests.length === 1);
    const [report] = auth.requests;
    expect(report).toMatchObject({ method: 'GET', url: '/api/auth/session' });
    expect(report?.headers).toMatchObject({ 'user-agent': 'Thief/1', 'x-forwarded-for': '127.0.0.1' });
    expect(report?.headers.cookie).toContain(`${cookieNames.access}=${token}`);
  });

  it('that is forged a thousand times over makes the gateway ask the auth service a few times only [S-129]', async () => {
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const auth = await startUpstream((_request, response) => void answered.then(() => response.end('{}')));
    const leads = await startUpstream((_request, response) => void response.end('{}'));
    const { port } = await startGateway([`/api/leads=${leads.url}`, `/api/auth=${auth.url}`]);
    const misuse = (token: string) => send(port, '/api/leads', { headers: { cookie: jar(token) } });
    const forged = (n: number) => tokenFor('203.0.113.7', `browser/${n}`);
    for (let n = 0; n < 200; n++) expect((await misuse(forged(n))).status).toBe(401);
    await eventually(() => auth.requests.length > 0);
    expect(auth.requests.length).toBeLessThanOrEqual(4);

    answer();
    await answered;
    const before = auth.requests.length;
    for (let n = 0; n < 20; n++) await misuse(forged(0));
    expect(auth.requests.length).toBe(before);
  });

  it('that is misused is reported however many are forged at another address', async () => {
    const auth = await startUpstream(() => undefined);
    const leads = await startUpstream((_request, response) => void response.end('{}'));
    const routes = [`/api/leads=${leads.url}`, `/api/auth=${auth.url}`];
    const { port } = await startGateway(routes, { TRUST_PROXY: ['127.0.0.1'] });
    const misuse = (from: string, n: number) =>
      send(port, '/api/leads', {
        headers: { cookie: jar(tokenFor('203.0.113.7', `browser/${n}`)), 'x-forwarded-for': from },
      });
    for (let n = 0; n < 50; n++) expect((await misuse('198.51.100.1', n)).status).toBe(401);
    await misuse('192.0.2.1', 51);
    await eventually(() => auth.requests.some(({ headers }) => headers['x-forwarded-for'] === '192.0.2.1'));
    expect(auth.requests.length).toBeLessThanOrEqual(4);
  });

  it('that is misused is reported to an instance of the auth service that is there', async () => {
    const away = `http://127.0.0.1:${await unusedPort()}`;
    const auth = await startUpstream((_request, response) => void response.end('{}'));
    const leads = await startUpstream((_request, response) => void response.end('{}'));
    const { port } = await startGateway([`/api/leads=${leads.url}`, `/api/auth=${away}|${auth.url}`]);
    // The first of these finds out that one address is away.
    for (let n = 0; n < 3; n++) await send(port, '/api/auth/session');
    const before = auth.requests.length;
    await send(port, '/api/leads', { headers: { cookie: jar(tokenFor('203.0.113.7')) } });
    await eventually(() => auth.requests.length === before + 1);
  });

  it('that is none is no session, and needs no CSRF token', async () => {
    const { gateway, leads } = await startStack();
    for (const value of ['', 'garbage', 'a.b.c', 'e30.e30.e30']) {
      const headers = { cookie: `${cookieNames.access}=${value}` };
      expect((await send(gateway.port, '/api/leads', { method: 'POST', headers })).status).toBe(200);
    }
    for (const { headers } of leads.requests) expect(headers.authorization).toBeUndefined();
  });

  it.each(['%0d%0ax-evil: 1', '%00', '%E2%82%AC'])('is forwarded unchanged, %s too', async (value) => {
    const { gateway, leads, auth } = await startStack();
    const forged = `${tokenFor().split('.', 2).join('.')}.${value}`;
    for (const path of ['/api/leads', '/api/auth/session']) {
      expect((await send(gateway.port, path, { headers: { cookie: jar(forged) } })).status).toBe(200);
    }
    expect(leads.requests[0]?.headers.authorization).toBe(`Bearer ${forged}`);
    expect(auth.requests[0]?.headers.cookie).toContain(`${cookieNames.access}=${forged};`);
  });

  it('is left aside where the request brings its own token', async () => {
    const { gateway, leads } = await startStack();
    const headers = { cookie: jar(tokenFor()), authorization: 'Bearer own' };
    expect((await send(gateway.port, '/api/leads', { method: 'POST', headers })).status).toBe(200);
    expect(leads.requests[0]?.headers).toMatchObject({ authorization: 'Bearer own' });
    expect(leads.requests[0]?.headers.cookie).toBeUndefined();
  });
});

describe('the auth service', () => {
  it('sees the cookies of sessions and no others, and sets its own', async () => {
    const { gateway, auth } = await startStack();
    const token = tokenFor();
    const answer = await send(gateway.port, '/api/auth/refresh', {
      method: 'POST',
      headers: { cookie: jar(token) },
    });
    expect(answer.headers['set-cookie']).toEqual(['a=1; Secure', 'b=2; Secure']);
    const { headers } = auth.requests[0] ?? {};
    expect(headers?.cookie).toBe(
      `${cookieNames.access}=${token}; ${cookieNames.refresh}=r; ${cookieNames.device}=${deviceCookie}`,
    );
    expect(headers?.authorization).toBeUndefined();
  });
});

describe('a business service', () => {
  it('sets no cookie of a session [S-129]', async () => {
    const leads = await startUpstream((_request, response) => {
      response.setHeader('set-cookie', ['__Host-access=forged; Path=/; Secure', 'a=1']);
      response.end('{}');
    });
    const { port } = await startGateway([`/api/leads=${leads.url}`]);
    expect((await send(port, '/api/leads')).headers['set-cookie']).toEqual(['a=1']);
  });
});

describe('a client without cookies', () => {
  it('needs neither Origin nor CSRF token', async () => {
    const { gateway, leads } = await startStack();
    for (const method of unsafe) {
      const headers = { authorization: 'Bearer token' };
      expect((await send(gateway.port, '/api/leads/1', { method, headers })).status).toBe(200);
    }
    expect(leads.requests).toHaveLength(4);
  });
});

describe('a preflight', () => {
  const preflight = (gateway: RunningGateway, origin: string) =>
    send(gateway.port, '/api/leads', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'if-match',
      },
    });

  it('of a listed origin is answered by the gateway', async () => {
    const { gateway, leads } = await startStack();
    const { status, headers, text } = await preflight(gateway, frontend);
    expect({ status, text }).toEqual({ status: 204, text: '' });
    expect(headers).toMatchObject({
      'access-control-allow-origin': frontend,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    });
    expect(headers.vary).toContain('Origin');
    for (const name of [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'X-Client-Platform',
      'X-Client-Version',
      'X-CSRF-Token',
      'X-Device-Id',
    ]) {
      expect(headers['access-control-allow-headers']).toContain(name);
    }
    expect(leads.requests).toHaveLength(0);
  });

  it.each(['https://evil.example', 'null', `${frontend}.evil.example`, 'http://localhost:5173'])(
    'of %s is refused in production',
    async (origin) => {
      const { gateway, leads } = await startStack();
      const { status, headers } = await preflight(gateway, origin);
      expect(status).toBe(403);
      expect(headers['access-control-allow-origin']).toBeUndefined();
      expect(leads.requests).toHaveLength(0);
    },
  );

  it('of a front end under development is answered outside production', async () => {
    const leads = await startUpstream((_request, response) => void response.end('{}'));
    const gateway = await startGateway([`/api/leads=${leads.url}`]);
    expect((await preflight(gateway, 'http://localhost:5173')).status).toBe(204);
    expect((await preflight(gateway, 'http://localhost:5174')).status).toBe(403);
  });
});

describe('an answer', () => {
  it('may be read by a listed origin alone, whatever the service says [S-128]', async () => {
    const { gateway } = await startStack();
    const listed = await send(gateway.port, '/api/auth/session', { headers: { origin: frontend } });
    expect(listed.headers).toMatchObject({
      'access-control-allow-origin': frontend,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    });
    for (const headers of [{ origin: 'https://evil.example' }, {}]) {
      const other = await send(gateway.port, '/api/auth/session', { headers });
      expect(other.headers['access-control-allow-origin']).toBeUndefined();
      expect(other.headers['access-control-allow-credentials']).toBeUndefined();
      expect(other.headers.vary).toBe('Origin');
    }
  });

  it('of the gateway itself may be read too', async () => {
    const gateway = await startGateway(['/api/leads=http://127.0.0.1:9'], { FRONTEND_URL: frontend });
    const { status, headers } = await send(gateway.port, '/api/leads', { headers: { origin: frontend } });
    expect(status).toBe(503);
    expect(headers['access-control-allow-origin']).toBe(frontend);
  });
});
