import { workspaceRoot } from '@tenantry/dev-database';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isBuilt, keptBuild, makeKeptBuild } from '../src/console/kept-builds.ts';
import { findChromium } from './support/chromium.ts';
import { serveBuild, type ConsoleServer } from './support/console-server.ts';

const executablePath = findChromium();
const kilobyte = 1_000;

/** Bytes on the wire, headers included, as the protocol of the browser tells them. */
async function countBytes(page: Page): Promise<() => number> {
  let bytes = 0;
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Network.enable');
  protocol.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  return () => bytes;
}

const nobody = {
  user: null,
  session: null,
  organization: null,
  organizations: [],
  permissions: [],
  twoFactor: null,
};
const signedOut = { ...nobody, status: 'signed-out', reason: 'TOKEN_MISSING', csrfToken: null, signUp: {} };
const acme = { id: 'acme', name: 'Acme', slug: 'acme', role: 'owner', active: true, accessible: true };
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
    user: { id: 'ada', name: 'Ada', email: 'ada@example.com', language: null, timeZone: 'UTC' },
    session: {},
  },
};

describe.skipIf(executablePath === undefined)('on the wire, in brotli and cold', () => {
  let browser: Browser;
  let server: ConsoleServer;
  let start: object;

  beforeAll(async () => {
    const directory = await keptBuild(workspaceRoot);
    if (!isBuilt(directory)) await makeKeptBuild({ workspaceRoot, directory });
    server = await serveBuild(directory, {
      '/api/auth/start': () => start,
      '/api/auth/sessions': () => ({ sessions: [] }),
    });
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  async function open(path: string, heading: string) {
    const page = await browser.newPage({ locale: 'en' });
    const bytes = await countBytes(page);
    await page.goto(server.origin + path, { waitUntil: 'networkidle' });
    await page.getByRole('heading', { name: heading }).waitFor();
    return { page, bytes };
  }

  it('the sign-in takes at most 115 kB', async () => {
    start = signedOut;
    const { bytes } = await open('/sign-in', 'Sign in');
    console.info(`/sign-in takes ${(bytes() / kilobyte).toFixed(1)} kB`);
    expect(bytes()).toBeLessThanOrEqual(115 * kilobyte);
  });

  it('the first page of somebody who is signed in takes at most 185 kB, a further one at most 40 kB', async () => {
    start = signedIn;
    const { page, bytes } = await open('/', 'Welcome, Ada');
    const first = bytes();
    await page.getByRole('button', { name: /account and sign-out$/ }).click();
    await page.getByRole('link', { name: 'Your account' }).click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await page.waitForLoadState('networkidle');
    console.info(`the first page takes ${(first / kilobyte).toFixed(1)} kB`);
    expect(first).toBeLessThanOrEqual(185 * kilobyte);
    expect(bytes() - first).toBeLessThanOrEqual(40 * kilobyte);
  });
});
