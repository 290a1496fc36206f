import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { totp } from '../test-system/matrix/authenticator.ts';
import { ownOrigin } from '../test-system/matrix/origin.ts';
import { Api, newEmail, newPassword } from '../test-system/matrix/people.ts';
import { liftedLimits, startServicesAfter, type StartedServices } from '../test-system/matrix/services.ts';
import { send } from '../test-system/matrix/wire.ts';

// Twenty people behind one address, with the limits as they are by default: nothing they do in a day is too much.
// They signed up an hour before: one of them, who invited the others. An address has twenty sign-ups an hour.

interface Colleague {
  readonly email: string;
  readonly password: string;
}
interface Office {
  readonly organizationId: string;
  readonly people: readonly Colleague[];
}

/** The other tests of this folder lift the limits. */
const asByDefault = Object.fromEntries(liftedLimits.map((name) => [name, '']));

type Json = Readonly<Record<string, unknown>>;
type Request = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** A browser with a jar of cookies, at the address that all of them share. */
class Browser {
  readonly #gateway: string;
  readonly #jar = new Map<string, string>();
  #csrf: string | undefined;

  constructor(gateway: string) {
    this.#gateway = gateway;
  }

  /** Asks for what must succeed. */
  async ask(request: Request, body?: object, ifMatch?: string) {
    const answer = await this.send(request, body, ifMatch);
    if (answer.status >= 400) throw new Error(`${request} is ${answer.status} ${answer.text}`);
    return answer;
  }

  async send(request: Request, body?: object, ifMatch?: string) {
    const [method = '', path = ''] = request.split(' ');
    const cookie = [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const { status, headers, text } = await send(this.#gateway, {
      method,
      path,
      headers: {
        origin: ownOrigin,
        ...(cookie !== '' && { cookie }),
        ...(method !== 'GET' && this.#csrf !== undefined && { 'x-csrf-token': this.#csrf }),
        ...(body && { 'content-type': 'application/json' }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      body: body && JSON.stringify(body),
    });
    for (const line of headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split('=');
      if (line.includes('Max-Age=0;')) this.#jar.delete(name);
      else this.#jar.set(name, value);
    }
    const isJson = headers['content-type']?.startsWith('application/json');
    return { status, etag: headers.etag, text, body: (isJson ? JSON.parse(text) : {}) as Json };
  }

  /** What the console asks first of all. */
  async start(): Promise<void> {
    const { body } = await this.ask('GET /api/auth/start');
    this.#csrf = body['csrfToken'] as string;
  }

  /** Loads the console with nothing in the cache. */
  async load(): Promise<void> {
    const { text } = await this.ask('GET /');
    const files = [...text.matchAll(/(?:src|href)="(\/[\w./-]+)"/g)].map(([, path]) => path);
    await Promise.all(files.map((path = '/') => this.ask(`GET ${path}` as Request)));
  }

  async signIn({ email, password }: Colleague, code?: () => string): Promise<void> {
    const { body } = await this.ask('POST /api/auth/sign-in/email', { email, password });
    const { challenge } = body as { challenge?: { token: string } };
    if (challenge) {
      await this.ask('POST /api/auth/two-factor/verify-totp', {
        challengeToken: challenge.token,
        code: code?.(),
      });
    }
    await this.start();
  }
}

const dataOf = ({ body }: { readonly body: Json }) => body['data'] as Readonly<Record<string, string>>;

/** A working day without its pauses. */
async function workingDay(person: Colleague, browser: Browser, { organizationId, index }: Place) {
  await browser.load();
  await browser.signIn(person);
  const secret = index % 4 === 0 ? await switchOnTwoFactor(person, browser) : undefined;
  await morning(browser, index);
  await browser.ask('POST /api/auth/sign-out');

  await browser.load();
  await browser.signIn(person, () => totp(secret ?? '', 1));
  await afternoon(browser);
  await elsewhere(browser, organizationId);
  await browser.ask('POST /api/auth/sign-out');
}

interface Place {
  readonly organizationId: string;
  readonly index: number;
}

async function switchOnTwoFactor({ password }: Colleague, browser: Browser): Promise<string> {
  const { body } = await browser.ask('POST /api/auth/two-factor/enable', { password });
  const secret = body['secret'] as string;
  await browser.ask('POST /api/auth/two-factor/verify-totp', { code: totp(secret) });
  await browser.start();
  return secret;
}

/** Leads: lists that are scrolled and searched key by key, and edits of what was read. */
async function morning(browser: Browser, index: number): Promise<void> {
  for (let lead = 0; lead < 5; lead += 1) {
    const email = newEmail();
    const created = await browser.ask('POST /api/leads', { name: `Lead ${index} ${lead}`, email });
    const url = `/api/leads/${dataOf(created)['id'] ?? ''}` as const;
    const { etag } = await browser.ask(`GET ${url}`);
    await browser.ask(`PATCH ${url}`, { notes: 'Called, asks for a quote.' }, etag);
    for (let length = 1; length <= 4; length += 1) {
      await browser.ask(`GET /api/leads?pageSize=100&search=${email.slice(0, length)}`);
    }
  }
  for (let page = 1; page <= 10; page += 1) await browser.ask(`GET /api/leads?page=${page}&pageSize=100`);
  await browser.ask('GET /api/leads/statistics');
  await browser.ask('POST /api/auth/refresh');
  await browser.start();
}

/** Quotes: written as one types, looked at as PDFs, sent, and looked at again every now and then. */
async function afternoon(browser: Browser): Promise<void> {
  const quotes = '/api/quotation/quotes';
  for (let quote = 0; quote < 2; quote += 1) {
    const body = { customerId: crypto.randomUUID(), customerName: 'Åström AB', title: 'New roof' };
    const id = dataOf(await browser.ask(`POST ${quotes}`, body))['id'] ?? '';
    const url = `${quotes}/${id}` as const;
    const created = await browser.ask(`POST ${url}/work-packages`, { name: 'Roof', description: 'All' });
    const items = `${url}/work-packages/${dataOf(created)['id'] ?? ''}/items` as const;
    const line = { articleNumber: 'R-100', description: 'Felt', quantity: 7, unit: 'sqm', unitPrice: 485.5 };
    for (let item = 0; item < 5; item += 1) await browser.ask(`POST ${items}`, line);
    for (let typed = 0; typed < 5; typed += 1) {
      const { etag } = await browser.ask(`GET ${url}`);
      await browser.ask(`PUT ${url}`, { title: `New roof ${typed}` }, etag);
    }
    for (let look = 0; look < 3; look += 1) await browser.ask(`GET ${url}/pdf`);
    await browser.ask(`POST ${url}/send`, { recipientEmail: newEmail(), message: 'As discussed.' });
    for (let look = 0; look < 20; look += 1) await browser.ask(`GET ${url}`);
    await browser.ask(`GET ${quotes}?status=sent&pageSize=50`);
  }
  await browser.ask('GET /api/users?pageSize=100');
}

/** To an organization of their own, and back. */
async function elsewhere(browser: Browser, organizationId: string): Promise<void> {
  const slug = `own-${crypto.randomUUID()}`;
  const { body } = await browser.ask('POST /api/auth/organization/create', { name: 'Own', slug });
  const own = (body['organization'] as { id?: string } | undefined)?.id;
  for (const target of [own, organizationId]) {
    await browser.ask('POST /api/auth/organization/switch', { organizationId: target });
    await browser.start();
    await browser.ask('GET /api/leads');
  }
}

describe('an office of twenty behind one address', () => {
  let services: StartedServices;
  let office: Office;
  let gateway: string;

  beforeAll(async () => {
    const started = await startServicesAfter<Office>(async (past) => {
      const api = await Api.of(past);
      const owner = await api.signUp();
      await api.confirm(owner);
      const { join } = api.waysInto(owner);
      const people = [owner, ...(await Promise.all(Array.from({ length: 19 }, () => join('admin'))))];
      return { organizationId: owner.organizationId, people };
    }, asByDefault);
    services = started;
    office = started.brought;
    gateway = services.urlOf('gateway');
  });
  afterAll(() => services.stop());

  it('meets no limit on twenty concurrent working days, and is not kept out by a stranger at that address [S-22]', async () => {
    const browsers = office.people.map(() => new Browser(gateway));
    await Promise.all(
      office.people.map(async (person, index) =>
        workingDay(person, browsers[index]!, { organizationId: office.organizationId, index }),
      ),
    );

    const stranger = new Browser(gateway);
    const guesses: number[] = [];
    for (let guess = 0; guess < 12; guess += 1) {
      const body = { email: newEmail(), password: newPassword() };
      guesses.push((await stranger.send('POST /api/auth/sign-in/email', body)).status);
    }
    expect(guesses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    // Those without a second factor, whose next code is not due yet.
    const others = [...office.people.entries()].filter(([index]) => index % 4 !== 0);
    await Promise.all(others.map(([index, person]) => browsers[index]!.signIn(person)));
  });
});
