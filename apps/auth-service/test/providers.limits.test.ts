import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { callOutside, type CallOutside } from '@tenantry/service/calls';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { Browser } from './support/browser.ts';
import { newEmail, password, send, signUp, type Answer } from './support/client.ts';
import { letterData } from './support/mail.ts';
import { prove } from './support/organizations.ts';
import { startService } from './support/service.ts';
import { StandInProvider } from './support/stand-in-provider.ts';
import { begin, comeBack, fragmentOf, page, signInAt, type SocialBody } from './support/social.ts';

const provider = await StandInProvider.start({}, afterAll);
const silent = createServer(() => {
  // It takes requests and never answers.
});
silent.listen(0, '127.0.0.1');
await once(silent, 'listening');
const silence = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
afterAll(() => {
  silent.closeAllConnections();
  silent.close();
});

/** The paths at which the provider is silent, and how long it would have been waited for. */
let silentAt: RegExp | undefined;
const waits: number[] = [];
const impatient: CallOutside = (name, url, call) => {
  const { pathname } = new URL(url);
  if (silentAt?.test(pathname) !== true) return callOutside(name, url, call);
  waits.push(call.timeoutMs);
  return callOutside(name, silence + pathname, { ...call, timeoutMs: 100 });
};
beforeEach(() => {
  silentAt = undefined;
  waits.length = 0;
});

const settings = {
  FRONTEND_URL: 'https://app.example.com',
  OIDC_PROVIDERS: `slow|${provider.issuer}|ours|canary-client-secret`,
};
const service = await startService({ settings, callOutside: impatient });
const { app, sql } = service;
const walkTo = (email = newEmail()) => ({
  provider: 'slow',
  at: provider,
  person: { sub: randomUUID(), email },
});

describe('a provider that does not answer', () => {
  test('is a 503 when a sign-in starts, after a timeout, and works again once it responds [S-48]', async () => {
    const fresh = await startService({ settings, callOutside: impatient });
    silentAt = /./;
    const body = { provider: 'slow', redirectTo: page };
    const answer = await new Browser(fresh.app).send('POST /sign-in/social', { body });
    expect([answer.status, answer.body.code]).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
    expect(Math.max(...waits)).toBeLessThanOrEqual(5_000);
    silentAt = undefined;
    expect((await signInAt(fresh.app, walkTo())).status).toBe(200);
  });

  test.each([['its token endpoint', /^\/token$/] as const, ['UserInfo', /^\/userinfo$/] as const])(
    'at %s sends its user back with a code of ours, in time',
    async (_, path) => {
      const url = await begin(new Browser(app), 'slow');
      silentAt = path;
      const { location } = await comeBack(app, 'slow', provider.agree(url, { sub: randomUUID() }));
      expect(fragmentOf(location)).toEqual({ error: 'PROVIDER_UNAVAILABLE' });
      expect(waits).toHaveLength(1);
      expect(Math.max(...waits)).toBeLessThanOrEqual(5_000);
    },
  );
});

describe('the number of accounts at providers that one user links', () => {
  const linkMany = (userId: string, count: number) =>
    sql(
      `INSERT INTO identities (user_id, id, provider, issuer, subject, created_at)
       SELECT $1, gen_random_uuid(), 'slow', 'https://idp.test', n::text, now() FROM generate_series(1, $2::int) n`,
      [userId, count],
    );
  const linkedTo = (userId: string) => sql('SELECT id FROM identities WHERE user_id = $1', [userId]);

  async function ticketToLink(token: string, browser: Browser): Promise<string> {
    const body = { provider: 'slow', redirectTo: page, password };
    const begun = await browser.send('POST /identities/link', { token, body });
    const given = provider.agree((begun.body as SocialBody).url, walkTo().person);
    return fragmentOf((await comeBack(app, 'slow', given)).location)['ticket'] ?? '';
  }

  const outcomeOf = ({ status, body }: Answer) => (status === 201 ? 'linked' : body.code);

  test('is limited to twenty, also for concurrent requests [S-204]', async () => {
    const ada = await signUp(app);
    await linkMany(ada.id, 19);
    const browser = new Browser(app);
    const tickets: string[] = [];
    for (let times = 0; times < 3; times += 1) tickets.push(await ticketToLink(ada.token, browser));
    const answers = await Promise.all(
      tickets.map((ticket) =>
        browser.send('POST /identities', { token: ada.token, body: { ticket, password } }),
      ),
    );
    expect(answers.map(outcomeOf).toSorted()).toEqual([
      'TOO_MANY_IDENTITIES',
      'TOO_MANY_IDENTITIES',
      'linked',
    ]);
    expect(await linkedTo(ada.id)).toHaveLength(20);
    const [one] = await linkedTo(ada.id);
    await send(app, `DELETE /identities/${String(one?.['id'])}`, { token: ada.token });
    const ticket = await ticketToLink(ada.token, browser);
    const freed = await browser.send('POST /identities', { token: ada.token, body: { ticket, password } });
    expect(freed.status).toBe(201);
  });

  test('has the same limit for a letter, which says so and starts no session', async () => {
    const ada = await signUp(app);
    await prove(service, ada);
    await linkMany(ada.id, 20);
    const browser = new Browser(app);
    const asked = await signInAt(app, walkTo(ada.email), browser);
    expect(asked.body.codeRequired).toBe(true);
    const { code } = await letterData(service, ada.email, 'sign-in-code');
    const body = { requestId: asked.body.request.id, code };
    const answer = await browser.send('POST /sign-in/mailed/verify', { body });
    expect([answer.status, answer.body.code]).toEqual([409, 'TOO_MANY_IDENTITIES']);
    expect(await linkedTo(ada.id)).toHaveLength(20);
  });
});
