import { sessionCookies } from '@tenantry/service/browser';
import type { Service } from '@tenantry/service/http';
import { send, type Answer, type Request } from './client.ts';

export const frontend = 'https://app.example.com';

/** What a browser adds to every request of a page. */
export type PageHeaders = Readonly<Record<string, string>>;

/** A browser by its requests: it keeps cookies, and says which page it shows. */
export class Browser {
  readonly #app: Service;
  readonly #cookies = new Map<string, string>();
  readonly headers: PageHeaders;

  constructor(app: Service, headers: PageHeaders = { origin: frontend, 'user-agent': 'Firefox/140' }) {
    this.#app = app;
    this.headers = headers;
  }

  /** Sends a request with the cookies whose path it lies in; the page adds what it likes. */
  async send(request: string, { headers, ...options }: Request = {}): Promise<Answer> {
    const answer = await send(this.#app, request, {
      ...options,
      headers: { ...this.headers, ...(this.cookie === '' ? {} : { cookie: this.cookie }), ...headers },
    });
    for (const line of setCookiesOf(answer)) this.#keep(line);
    return answer;
  }

  /** As {@link Browser.send}, with the CSRF token of the session. */
  async sendSafely(request: string, options: Request = {}): Promise<Answer> {
    const csrf = (await this.send('GET /csrf')).body.token;
    return this.send(request, { ...options, headers: { 'x-csrf-token': csrf, ...options.headers } });
  }

  /** The Cookie header. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  get cookies() {
    return sessionCookies(Object.fromEntries(this.#cookies));
  }

  /** Takes over what another browser keeps. */
  steal(other: Browser, names: readonly string[]): void {
    for (const [name, value] of other.#cookies) if (names.includes(name)) this.#cookies.set(name, value);
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split('=');
    if (attributes.includes('Max-Age=0')) this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
}

/** The Set-Cookie headers of an answer. */
export function setCookiesOf({ headers }: Answer): readonly string[] {
  const given = headers['set-cookie'];
  return given === undefined ? [] : ([given].flat() as string[]);
}
