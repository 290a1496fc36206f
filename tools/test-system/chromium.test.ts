import { randomUUID } from 'node:crypto';
import { canary, patience } from '@tenantry/test-kit';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { totp } from './matrix/authenticator.ts';
import { startServicesAfter, type RunningServices, type StartedServices } from './matrix/services.ts';
import { findChromium, openPages, type Pages } from '../test/support/chromium.ts';

// The first story of a browser client, and what other pages try, in a real browser.

const frontend = 'localhost:5173';
/** A neighbour to whom SameSite makes no difference, and a stranger. */
const otherPages = ['localhost:5174', 'stranger.example:80'];

const executablePath = findChromium();
if (executablePath === undefined) {
  console.info('No Chromium on this machine: the tests in a real browser are left out. CHROMIUM names one.');
}

describe.skipIf(executablePath === undefined)('in Chromium', () => {
  let services: StartedServices;
  let pages: Pages;
  let api: string;
  /** Signed up an hour ago, so that its access token has expired. */
  let context: BrowserContext;

  beforeAll(async () => {
    pages = await openPages(executablePath ?? '', [frontend, ...otherPages]);
    services = await startServicesAfter(
      async (past) => {
        api = originOf(past);
        context = await pages.browser.newContext();
        await signUp(await open(context));
      },
      { FRONTEND_URL: `http://${frontend}`, PASSKEY_RP_ID: 'localhost' },
    );
  });
  afterAll(async () => {
    await pages.close();
    await services.stop();
  });

  const originOf = (running: RunningServices) => running.urlOf('gateway').replace('127.0.0.1', 'localhost');

  async function open(of: BrowserContext, origin = frontend, path = '/'): Promise<Page> {
    const page = await of.newPage();
    page.setDefaultTimeout(patience());
    await page.goto(`http://${origin}${path}?api=${api}`);
    return page;
  }

  const isSignedIn = (page: Page) => page.getByText('signed in', { exact: true }).waitFor();
  const isSignedOut = (page: Page) => page.getByText('signed out', { exact: true }).waitFor();
  const lead = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

  async function signUp(page: Page, password = `${canary} ${randomUUID()}`): Promise<void> {
    await isSignedOut(page);
    await page.getByPlaceholder('E-mail').fill(`${randomUUID()}@example.com`);
    await page.getByPlaceholder('Password').fill(password);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await isSignedIn(page);
  }

  async function add(page: Page, name: string): Promise<void> {
    await page.getByPlaceholder('Lead').fill(name);
    await page.getByRole('button', { name: 'Add lead' }).click();
    await lead(page, name).waitFor();
  }

  it('a session outlives a reload and its access token, is switched in all tabs, and ends in all of them', async () => {
    const renewals: number[] = [];
    context.on('response', (response) => {
      if (response.url().endsWith('/api/auth/refresh')) renewals.push(response.status());
    });
    const first = await open(context);
    await isSignedIn(first);
    // The token was an hour old.
    expect(renewals).toEqual([200]);
    await add(first, 'Charles Babbage');
    await first.reload();
    await isSignedIn(first);
    await lead(first, 'Charles Babbage').waitFor();
    expect(renewals).toEqual([200]);
    expect(await first.evaluate('document.cookie')).toBe('');

    const second = await open(context);
    await lead(second, 'Charles Babbage').waitFor();
    await second.getByPlaceholder('Organization').fill('Engines');
    await second.getByRole('button', { name: 'Create and switch' }).click();
    for (const tab of [first, second]) {
      await tab.locator('#organization', { hasText: 'Engines' }).waitFor();
      await lead(tab, 'Charles Babbage').waitFor({ state: 'detached' });
    }
    await add(first, 'Grace Hopper');
    await second.reload();
    await lead(second, 'Grace Hopper').waitFor();

    await first.getByRole('button', { name: 'Sign out' }).click();
    await isSignedOut(first);
    await isSignedOut(second);
    await second.reload();
    await isSignedOut(second);
  });

  it.each(otherPages)('a page at %s reads nothing and changes nothing [S-126]', async (origin) => {
    const victim = await pages.browser.newContext();
    const own = await open(victim);
    await signUp(own);
    await add(own, 'Charles Babbage');

    const page = await open(victim, origin, '/attack');
    const attack = (name: 'read' | 'json' | 'text' | 'signOut') => page.evaluate(`attacks.${name}()`);
    /** What the gateway says to the form of a fresh page, which the page itself cannot see. */
    const submitted = async (path: string, enctype: string) => {
      const form = await open(victim, origin, '/attack');
      const answered = form.waitForResponse(`${api}${path}`);
      await form.evaluate(`attacks.form('${path}', '${enctype}')`);
      const status = (await answered).status();
      await form.close();
      return status;
    };
    expect(await attack('read')).toBe('refused by the browser');
    expect(await attack('json')).toBe('refused by the browser');
    for (const [name, path] of [
      ['text', '/api/leads'],
      ['signOut', '/api/auth/sign-out'],
    ] as const) {
      const answered = page.waitForResponse(`${api}${path}`);
      expect(await attack(name)).toBe('opaque');
      expect([name, (await answered).status()]).toEqual([name, expect.toBeOneOf([401, 403])]);
    }
    for (const enctype of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
      for (const path of ['/api/leads', '/api/auth/sign-out']) {
        const status = await submitted(path, enctype);
        expect([path, enctype, status]).toEqual([path, enctype, expect.toBeOneOf([401, 403])]);
      }
    }
    for (const path of ['/docs', '/api/leads', '/api/auth/session']) {
      const framed = page.frame('framed');
      const refused = page.waitForEvent('framenavigated', (frame) => frame === framed);
      await page.evaluate(`attacks.frame('${path}')`);
      await refused;
      expect([path, framed?.url()]).toEqual([path, 'chrome-error://chromewebdata/']);
    }

    await own.reload();
    await lead(own, 'Charles Babbage').waitFor();
    expect(await own.getByRole('listitem').allTextContents()).toEqual(['Charles Babbage']);
    await victim.close();
  });

  it('a passkey signs its user in without a code, and is not found by another user', async () => {
    const own = await pages.browser.newContext();
    const page = await open(own);
    await addAuthenticator(own, page);
    const password = `${canary} ${randomUUID()}`;
    await signUp(page, password);
    await add(page, 'Charles Babbage');
    const added = page.waitForResponse(
      (answer) => answer.url() === `${api}/api/auth/passkeys` && answer.request().method() === 'POST',
    );
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    expect((await added).status()).toBe(201);
    const ways = (await call(page, 'GET', '/api/auth/ways-in')).body as { passkeys: { id: string }[] };
    expect(ways.passkeys).toHaveLength(1);
    const enabled = await call(page, 'POST', '/api/auth/two-factor/enable', { password });
    const body = { code: totp((enabled.body as { secret: string }).secret) };
    expect((await call(page, 'POST', '/api/auth/two-factor/verify-totp', body)).status).toBe(200);

    // The session is a new one, with another CSRF token.
    await page.reload();
    await isSignedIn(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await isSignedOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await isSignedIn(page);
    await lead(page, 'Charles Babbage').waitFor();

    const other = await pages.browser.newContext();
    const stranger = await open(other);
    await signUp(stranger);
    const path = `/api/auth/passkeys/${ways.passkeys[0]?.id}`;
    expect((await call(stranger, 'DELETE', path)).status).toBe(404);
    expect((await call(page, 'DELETE', path)).status).toBe(204);
    await other.close();
    await own.close();
  });

  it('a newcomer signs up, creates a lead and then a quote on the page of the reference, under a strict CSP [S-130]', async () => {
    const newcomer = await pages.browser.newContext();
    const page = await newcomer.newPage();
    page.setDefaultTimeout(patience());
    const violations: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) violations.push(message.text());
    });
    await page.goto(`${api}/docs`);

    /** Executes what is filled in. */
    async function tryIt(tag: string, id: string, change = (body: string) => body): Promise<object> {
      await page.locator(`.opblock-tag[data-tag="${tag}"]`).click();
      const operation = page.locator(`[id$="-${id}"]`);
      await operation.locator('.opblock-summary-control').click();
      const body = operation.locator('textarea.body-param__text');
      await body.fill(change(await body.inputValue()));
      await operation.getByRole('button', { name: 'Execute' }).click();
      const answer = operation.locator('.live-responses-table');
      await answer.locator('tbody .response-col_status', { hasText: '201' }).waitFor();
      return JSON.parse(await answer.locator('.highlight-code code').first().innerText()) as object;
    }
    await tryIt('auth: users', 'signUpWithEmail', (body) => body.replace('ada@', `${randomUUID()}@`));
    const created = (await tryIt('leads', 'createLead')) as { data: { id: string } };
    const quote = await tryIt('quotation: quotes', 'createQuote', (body) =>
      body.replace(/"customerId": "[^"]+"/, `"customerId": "${created.data.id}"`),
    );
    expect(quote).toMatchObject({ data: { number: expect.stringMatching(/-0001$/) as string } });
    expect(violations).toEqual([]);
    await newcomer.close();
  });
});

/** What the API answers to the script of a page. */
async function call(
  page: Page,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const given = [method, path, body]
    .filter((value) => value !== undefined)
    .map((value) => JSON.stringify(value));
  const answer = await page.evaluate(
    `call(${given.join(', ')}).then(async (answer) => ({ status: answer.status, text: await answer.text() }))`,
  );
  const { status, text } = answer as { status: number; text: string };
  return { status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
}

/** One that is built into the device, and recognizes its user. */
async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const devTools = await context.newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
