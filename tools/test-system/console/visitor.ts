import { patience } from '@tenantry/test-kit';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Somebody in a browser of their own at the console. What goes wrong there is kept, so that a journey can end without it. */
export class Visitor {
  readonly context: BrowserContext;
  /** Errors on the console of the browser: violations of the policy among them. */
  readonly faults: string[] = [];
  /** What was refused, as `401 POST /api/auth/sign-in/email`. */
  readonly refusals: string[] = [];
  readonly #origin: string;

  private constructor(context: BrowserContext, origin: string) {
    this.context = context;
    this.#origin = origin;
    context.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (response.status() < 400) return;
      this.refusals.push(`${response.status()} ${response.request().method()} ${pathname}`);
    });
    context.on('weberror', (event) => this.faults.push(String(event.error())));
    context.on('console', (message) => {
      // A refusal is shown there, too.
      const isRefusal = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isRefusal) this.faults.push(message.text());
    });
  }

  /** @param origin `http://localhost:8080` */
  static async at(browser: Browser, origin: string, options: BrowserContextOptions = {}): Promise<Visitor> {
    return new Visitor(await browser.newContext({ locale: 'en-GB', ...options }), origin);
  }

  async open(path: string): Promise<Page> {
    const page = await this.context.newPage();
    page.setDefaultTimeout(patience());
    await page.goto(this.#origin + path);
    return page;
  }

  leave(): Promise<void> {
    return this.context.close();
  }
}

/** Ends a visit in which nothing went wrong but what was to be refused. */
export async function expectNothingElse(visitor: Visitor, refusals: readonly string[] = []): Promise<void> {
  await visitor.leave();
  expect(visitor.faults).toEqual([]);
  expect(visitor.refusals).toEqual(refusals);
}

/** The heading of a page, which says that it is there; where it is not, the error says what is. */
export async function heading(page: Page, name: string): Promise<void> {
  try {
    await page.getByRole('heading', { name, exact: true }).waitFor();
  } catch (cause) {
    const text = await page.locator('body').innerText();
    throw new Error(`No heading '${name}' at ${page.url()}, which shows:\n${text}`, { cause });
  }
}

/** Presses a key until something has the focus. */
export async function reach(
  page: Page,
  wanted: Locator,
  key: 'Tab' | 'Shift+Tab' | 'ArrowDown',
): Promise<void> {
  await wanted.waitFor();
  for (let presses = 0; presses < 30; presses += 1) {
    await page.keyboard.press(key);
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return;
  }
  throw new Error(`${key} does not lead there`);
}

/** Fills in who somebody is and a password, and sends them. */
export async function signIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}
