import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { patience } from '@tenantry/test-kit';
import { workspaceRoot } from '@tenantry/dev-database';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBuilt, keptBuild, makeKeptBuild } from '../src/console/kept-builds.ts';
import { findChromium } from './support/chromium.ts';
import { serveBuild, type ConsoleServer } from './support/console-server.ts';

const executablePath = findChromium();
const kilobyte = 1_000;

/** Bytes on the wire, headers included, as the browser's protocol reports them. */
async function countBytes(page: Page): Promise<() => number> {
  let bytes = 0;
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Network.enable');
  protocol.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  return () => bytes;
}

const signedOutUser = {
  user: null,
  session: null,
  organization: null,
  organizations: [],
  permissions: [],
  twoFactor: null,
};
const signedOut = {
  ...{ ...signedOutUser, status: 'signed-out', reason: 'TOKEN_MISSING', csrfToken: null },
  ...{ signUp: {}, signIn: { signUp: 'open', password: true, providers: [], singleSignOn: false } },
};
const settled = { active: true, accessible: true, createdAt: '2026-11-20T12:00:00Z' };
const acme = { id: 'acme', name: 'Acme', slug: 'acme', role: 'owner', ...settled };
const signedIn = {
  ...{
    ...signedOut,
    status: 'signed-in',
    reason: null,
    csrfToken: 'token',
    organization: acme,
    organizations: [acme],
  },
  ...{
    user: {
      id: 'ada',
      name: 'Ada',
      email: 'ada@example.com',
      emailVerified: true,
      language: null,
      timeZone: 'UTC',
    },
    session: {},
    twoFactor: { enabled: false, methods: [], backupCodesLeft: 0 },
    permissions: ['leads:read', 'quotes:read', 'organization:read'],
  },
};

const none = { new: 0, contacted: 0, qualified: 0, lost: 0, won: 0 };
const noQuotes = { quotes: 0, amounts: [] };
const answer = (data: unknown, meta: object = {}) => ({ data, error: null, meta });
const emptyList = () => answer([], { total: 0, page: 1, pageSize: 5 });

describe.skipIf(executablePath === undefined)('the console as it is built', () => {
  let browser: Browser;
  let server: ConsoleServer;
  let directory: string;
  let start: object;

  beforeAll(async () => {
    directory = await keptBuild(workspaceRoot);
    if (!isBuilt(directory)) await makeKeptBuild({ workspaceRoot, directory });
    server = await serveBuild(directory, {
      '/api/auth/start': () => start,
      '/api/auth/sessions': () => ({ sessions: [] }),
      '/api/auth/ways-in': () => ({ password: true, mailed: false, passkeys: [], identities: [] }),
      '/api/auth/organization/joinable': () => ({ organizations: [] }),
      '/api/leads': emptyList,
      '/api/leads/statistics': () =>
        answer({ total: 0, byStatus: none, series: [{ start: '2026-11-23', entered: none }] }),
      '/api/leads/settings': () => answer({ furtherMoves: [], acceptedQuoteMovesLead: true }),
      '/api/quotation/quotes': emptyList,
      '/api/quotation/customers': emptyList,
      '/api/quotation/statistics': () =>
        answer({
          ...{ statuses: [], waiting: noQuotes, expired: noQuotes, series: [] },
          acceptance: { rate: null, accepted: 0, decided: 0 },
        }),
      '/api/auth/audit': () => ({ events: [], total: 0, page: 1, pageSize: 10 }),
    });
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

  async function newPage(): Promise<Page> {
    const page = await browser.newPage({ locale: 'en' });
    page.setDefaultTimeout(patience());
    return page;
  }

  async function open(path: string, title: string) {
    const page = await newPage();
    const bytes = await countBytes(page);
    await page.goto(server.origin + path, { waitUntil: 'networkidle' });
    await heading(page, title);
    return { page, bytes };
  }

  async function goToAccount(page: Page): Promise<void> {
    await page.getByRole('button', { name: /account and sign-out$/ }).click();
    await page.getByRole('menuitem', { name: 'Your account' }).click();
    await heading(page, 'Your account');
  }

  it('takes at most 118 kB for the sign-in, on the wire, in brotli and cold, and 2.5 kB for the step of the address', async () => {
    const measure = async (singleSignOn: boolean) => {
      start = { ...signedOut, signIn: { ...signedOut.signIn, singleSignOn } };
      const { page, bytes } = await open('/sign-in', 'Sign in');
      expect(await page.getByLabel('Password', { exact: true }).count()).toBe(singleSignOn ? 0 : 1);
      console.info(`/sign-in takes ${(bytes() / kilobyte).toFixed(1)} kB`);
      return bytes();
    };
    const plain = await measure(false);
    expect(plain).toBeLessThanOrEqual(118 * kilobyte);
    expect((await measure(true)) - plain).toBeLessThanOrEqual(2.5 * kilobyte);
  });

  it.each([
    ['/quotes', 'Quotes'],
    ['/leads', 'Leads'],
    ['/customers', 'Customers'],
  ])('takes at most 160 kB for the list at %s, cold', async (path, title) => {
    start = signedIn;
    const { bytes } = await open(path, title);
    console.info(`${path} takes ${(bytes() / kilobyte).toFixed(1)} kB`);
    expect(bytes()).toBeLessThanOrEqual(160 * kilobyte);
  });

  it('takes at most 160 kB for the first page of somebody who is signed in, and 40 kB for a further one', async () => {
    start = signedIn;
    const { page, bytes } = await open('/', 'Welcome, Ada');
    const first = bytes();
    await goToAccount(page);
    await page.waitForLoadState('networkidle');
    console.info(`the first page takes ${(first / kilobyte).toFixed(1)} kB`);
    expect(first).toBeLessThanOrEqual(160 * kilobyte);
    expect(bytes() - first).toBeLessThanOrEqual(40 * kilobyte);
  });

  it('has no page of all components, which is for development', () => {
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => file.includes('components.'))).toEqual([]);
    const scripts = files.filter((file) => file.endsWith('.js')).map((file) => join(directory, file));
    expect(scripts.filter((script) => readFileSync(script, 'utf8').includes('/components'))).toEqual([]);
  });

  it('is loaded although every second file is asked of a gateway that does not have it', async () => {
    start = signedIn;
    const page = await newPage();
    const asked = new Set<string>();
    await page.route('**/assets/**', (route) => {
      const { pathname } = new URL(route.request().url());
      const isFirst = !asked.has(pathname);
      asked.add(pathname);
      return isFirst ? route.fulfill({ status: 404 }) : route.continue();
    });
    await page.goto(`${server.origin}/`);
    await heading(page, 'Welcome, Ada');
    await goToAccount(page);
  });

  it('says of a page without its files that there is no connection, and opens it by itself once there is', async () => {
    start = signedIn;
    const { page } = await open('/', 'Welcome, Ada');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: /account and sign-out$/ }).click();
    await page.getByRole('menuitem', { name: 'Your account' }).click();
    await heading(page, 'No connection');
    await page.context().setOffline(false);
    await heading(page, 'Your account');
  });

  it('is loaded as a new document by a tab whose files are gone, at the next page that it opens', async () => {
    start = signedIn;
    const { page } = await open('/', 'Welcome, Ada');
    await page.evaluate('globalThis.isOld = true');
    let isGone = true;
    await page.route('**/assets/account*', (route) =>
      isGone ? route.fulfill({ status: 404 }) : route.continue(),
    );
    page.on('request', (request) => (isGone &&= !request.isNavigationRequest()));
    await goToAccount(page);
    expect(await page.evaluate('globalThis.isOld')).toBeUndefined();
    expect(new URL(page.url()).pathname).toBe('/account');
  });
});
