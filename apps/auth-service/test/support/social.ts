import { createHash, randomBytes } from 'node:crypto';
import type { Service } from '@tenantry/service/http';
import { Browser, frontend } from './browser.ts';
import { send, type Answer, type AnswerBody } from './client.ts';
import type { Person, StandInProvider } from './stand-in-provider.ts';

/** What the routes of providers answer, beyond what every route does. */
export type SocialBody = AnswerBody & {
  readonly url: string;
  readonly identity: { readonly id: string; readonly provider: string; readonly email: string | null };
  readonly codeRequired?: boolean;
  readonly request: { readonly id: string };
};

/** Where sign-ins return to. */
export const page = `${frontend}/signed-in`;

/** Sends a browser to a provider. */
export async function begin(
  browser: Browser,
  provider: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const body = { provider, redirectTo: page, ...fields };
  const answer = await browser.send('POST /sign-in/social', { body });
  if (answer.status !== 200) throw new Error(`it answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return (answer.body as SocialBody).url;
}

const fromApple = {
  'content-type': 'application/x-www-form-urlencoded',
  origin: 'https://appleid.apple.com',
  'sec-fetch-site': 'cross-site',
};

/** Follows a link back from a provider, as any browser does. @returns where it leads */
export async function comeBack(
  app: Service,
  provider: string,
  parameters: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly location: URL | undefined; readonly body: string }> {
  const query = new URLSearchParams(parameters).toString();
  const url = `/api/auth/callback/${provider}`;
  // Apple posts a form from its own site.
  const answer = await app.inject(
    provider === 'apple'
      ? { method: 'POST', url, headers: fromApple, payload: query }
      : { method: 'GET', url: `${url}?${query}` },
  );
  const { location } = answer.headers;
  return {
    status: answer.statusCode,
    location: location === undefined ? undefined : new URL(location),
    body: answer.body,
  };
}

/** The content of the fragment of an address. */
export function fragmentOf(location: URL | undefined): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(location?.hash.slice(1)));
}

/** The way to a provider and back, to the ticket. */
export async function ticketOf(
  app: Service,
  browser: Browser,
  { provider, at, person, fields }: Walk,
): Promise<string> {
  const url = await begin(browser, provider, fields);
  const { location, body } = await comeBack(app, provider, at.agree(url, person));
  const { ticket } = fragmentOf(location);
  if (ticket === undefined) throw new Error(`no ticket: ${location?.hash ?? body}`);
  return ticket;
}

/** One person who signs in somewhere. */
export interface Walk {
  /** As it is configured. */
  readonly provider: string;
  readonly at: StandInProvider;
  readonly person: Person;
  readonly fields?: Readonly<Record<string, string>>;
}

/** Exchanges a ticket. */
export async function redeem(
  browser: Pick<Browser, 'send'>,
  ticket: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Answer & { readonly body: SocialBody }> {
  const answer = await browser.send('POST /sign-in/ticket', { body: { ticket, ...fields } });
  return answer as Answer & { readonly body: SocialBody };
}

/** Signs in by a provider, from beginning to end. */
export async function signInAt(app: Service, walk: Walk, browser = new Browser(app)) {
  return redeem(browser, await ticketOf(app, browser, walk));
}

/** An app, which keeps no cookies and proves by a code verifier that it began. */
export class NativeApp {
  readonly verifier = randomBytes(32).toString('base64url');
  readonly codeChallenge = createHash('sha256').update(this.verifier).digest('base64url');
  readonly #app: Service;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(app: Service, device = 'adas-phone') {
    this.#app = app;
    this.#headers = { 'x-device-id': device, 'user-agent': 'App/1' };
  }

  send(request: string, { body, token }: { readonly body?: unknown; readonly token?: string } = {}) {
    const given = token === undefined ? {} : { token };
    return send(this.#app, request, { body, headers: this.#headers, ...given });
  }
}
