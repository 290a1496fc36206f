import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from 'playwright-core';
import { password, type Caller } from '../fair-shares/client.ts';

/** What a page load came to. */
export interface Load {
  /** From the beginning of the navigation to the largest contentful paint, in milliseconds. */
  readonly paintMs: number;
  /** Of all of its files and answers, as they were on the wire. */
  readonly bytes: number;
  readonly layoutShift: number;
}

/** A mobile network: 1.6 Mbit/s in each direction, and 150 ms to an answer. */
const slow4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 200_000 };
/** Nothing has been painted for so long: the largest paint was the last. */
const restMs = 1_000;

const places = new URL('../../../tools/test/support/chromium.ts', import.meta.url);

/** @throws Error where the machine has no Chromium. */
export async function launch(): Promise<Browser> {
  const { findChromium } = (await import(places.href)) as { findChromium: () => string | undefined };
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('CHROMIUM names no Chromium, and none was found.');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--enable-precise-memory-info'] });
}

/** A page of a browser whose files are all new to it. */
export async function newPage(browser: Browser): Promise<{ page: Page; session: CDPSession }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  await context.addInitScript(observe);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const session = await context.newCDPSession(page);
  return { page, session };
}

/** Signs in on the page for that, and waits for the first one behind it. */
export async function signIn(page: Page, url: string, { email }: Pick<Caller, 'email'>): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation').first().waitFor();
}

/** Loads a page whose files are all new to the browser, as on a phone that is out. */
export async function loadCold(
  { page, session }: { readonly page: Page; readonly session: CDPSession },
  address: string,
  isThere: (page: Page) => Promise<void>,
): Promise<Load> {
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  await session.send('Network.emulateNetworkConditions', slow4G);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(address);
  await isThere(page);
  await page.waitForTimeout(restMs);
  const { paintMs, layoutShift } = await page.evaluate<Observed>('window.observed');
  return { paintMs, bytes, layoutShift };
}

/** Ends a page, and the browser's memory of it. */
export const leave = (page: Page): Promise<void> => (page.context() satisfies BrowserContext).close();

/** What the page observes of itself. */
export interface Observed {
  readonly paintMs: number;
  readonly layoutShift: number;
  /** The longest event of each interaction, from the input to the next paint. */
  readonly interactions: Readonly<Record<string, number>>;
}

/** Interactions that take less are not told. */
export const shortestInteractionMs = 16;

const observe = `
  window.observed = { paintMs: 0, layoutShift: 0, interactions: {} };
  const each = (type, take, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options });
  each('largest-contentful-paint', ({ startTime }) => { observed.paintMs = startTime; });
  each('layout-shift', ({ value, hadRecentInput }) => { if (!hadRecentInput) observed.layoutShift += value; });
  each('event', ({ interactionId: id, duration }) => {
    if (id) observed.interactions[id] = Math.max(observed.interactions[id] ?? 0, duration);
  }, { durationThreshold: ${shortestInteractionMs} });
`;
