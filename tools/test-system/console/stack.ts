import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { findChromium } from '../../test/support/chromium.ts';
import { Api, type Person } from '../matrix/people.ts';
import { startServices, startServicesAfter, type RunningServices } from '../matrix/services.ts';
import { signIn, Visitor } from './visitor.ts';

const executablePath = findChromium();

/** Whether a machine can take the journeys at all. */
export const hasBrowser = executablePath !== undefined;

/** The console as it is built, with the real services, and a browser; letters link to its pages. */
export class ConsoleStack {
  readonly services: RunningServices;
  readonly browser: Browser;
  readonly origin: string;
  readonly api: Api;
  readonly stop: () => Promise<void>;

  private constructor(services: RunningServices, browser: Browser, api: Api, stop: () => Promise<void>) {
    this.services = services;
    this.browser = browser;
    this.origin = originOf(services);
    this.api = api;
    this.stop = stop;
  }

  /**
   * @param env over the settings of all services
   * @param before is done an hour ago, in the same browser
   */
  static async start(
    env: Readonly<Record<string, string>> = {},
    before?: (past: ConsoleStack) => Promise<void>,
  ): Promise<ConsoleStack> {
    // Passkeys are for a name, and so people open the console by it. Without FRONTEND_URL letters link to it there.
    const settings = { FRONTEND_URL: '', PASSKEY_RP_ID: 'localhost', ...env };
    const browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
    const of = async (services: RunningServices, stop: () => Promise<void>) =>
      new ConsoleStack(services, browser, await Api.of(services, originOf(services)), stop);
    const services = before
      ? await startServicesAfter(async (past) => before(await of(past, () => Promise.resolve())), settings)
      : await startServices(settings);
    return of(services, async () => {
      await browser.close();
      await services.stop();
    });
  }

  visitor(options?: BrowserContextOptions): Promise<Visitor> {
    return Visitor.at(this.browser, this.origin, options);
  }

  /** Somebody who signs in on the way to a page. */
  async signedIn(person: Pick<Person, 'email' | 'password'>, path: string): Promise<[Visitor, Page]> {
    const visitor = await this.visitor();
    const page = await visitor.open(path);
    await signIn(page, person);
    return [visitor, page];
  }
}

const originOf = (services: RunningServices): string =>
  services.urlOf('gateway').replace('127.0.0.1', 'localhost');

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();
