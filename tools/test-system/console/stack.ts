import { chromium, type Browser, type Page } from 'playwright-core';
import { findChromium } from '../../test/support/chromium.ts';
import { Api, type Person } from '../matrix/people.ts';
import { startServices, type StartedServices } from '../matrix/services.ts';
import { signIn, Visitor } from './visitor.ts';

const executablePath = findChromium();

/** Whether a machine can take the journeys at all. */
export const hasBrowser = executablePath !== undefined;

/** The console as it is built, with the real services, and a browser; letters link to its pages. */
export class ConsoleStack {
  readonly services: StartedServices;
  readonly browser: Browser;
  readonly origin: string;
  readonly api: Api;

  private constructor(services: StartedServices, browser: Browser, api: Api) {
    this.services = services;
    this.browser = browser;
    this.origin = originOf(services);
    this.api = api;
  }

  /** @param env over the settings of all services */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<ConsoleStack> {
    // Passkeys are for a name, and so people open the console by it. Without FRONTEND_URL letters link to it there.
    const services = await startServices({ FRONTEND_URL: '', PASSKEY_RP_ID: 'localhost', ...env });
    const browser = await chromium.launch({
      executablePath: executablePath ?? '',
      args: ['--no-sandbox'],
    });
    return new ConsoleStack(services, browser, await Api.of(services, originOf(services)));
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.services.stop();
  }

  visitor(): Promise<Visitor> {
    return Visitor.at(this.browser, this.origin);
  }

  /** Somebody who signs in on the way to a page. */
  async signedIn(person: Pick<Person, 'email' | 'password'>, path: string): Promise<[Visitor, Page]> {
    const visitor = await this.visitor();
    const page = await visitor.open(path);
    await signIn(page, person);
    return [visitor, page];
  }
}

const originOf = (services: StartedServices): string =>
  services.urlOf('gateway').replace('127.0.0.1', 'localhost');

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();
