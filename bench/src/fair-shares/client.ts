import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { request } from 'undici';

/** A request through the gateway as of a client at an address. */
export interface Sent {
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly address: string;
  readonly token?: string;
  /** Text is sent as a file, and one that arrives in pieces as it arrives. */
  readonly body?: object | string | Readable;
}

/** Who asks: an account with an organization of its own, at an address. */
export interface Caller {
  readonly address: string;
  readonly email: string;
  readonly token: string;
}

export const password = 'correct horse battery';

/** Asks, and reads the answer to its end. */
export async function ask(url: string, { method = 'GET', path, address, token, body }: Sent) {
  const isFile = typeof body === 'string' || body instanceof Readable;
  const answer = await request(url + path, {
    method,
    headers: {
      'x-forwarded-for': address,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': isFile ? 'text/csv' : 'application/json' }),
    },
    ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
  });
  return { status: answer.statusCode, text: await answer.body.text() };
}

/** The same of what has to succeed; gives the answer's body. */
export async function require<Body>(url: string, sent: Sent): Promise<Body> {
  const { status, text } = await ask(url, sent);
  if (status > 299) throw new Error(`${sent.path} is ${status}: ${text}`);
  return JSON.parse(text) as Body;
}

/** Signs somebody up, who then has an organization. */
export async function newCaller(url: string, address: string): Promise<Caller> {
  const email = `${randomUUID()}@bench.example`;
  const { session } = await require<{ session: { token: string } }>(url, {
    ...{ method: 'POST', path: '/api/auth/sign-up/email', address },
    body: { email, password, name: 'Ada Bench' },
  });
  return { address, email, token: session.token };
}

/** Creates a quote with so many lines of so long a text, and gives its id. */
export async function newQuote(
  url: string,
  { address, token }: Caller,
  { lines, length }: { readonly lines: number; readonly length: number },
): Promise<string> {
  const post = (path: string, body: object) =>
    require<{ data: { id: string } }>(url, { method: 'POST', path, address, token, body });
  const quotes = '/api/quotation/quotes';
  const { data: quote } = await post(quotes, { customerId: randomUUID(), title: 'Roof' });
  const { data: part } = await post(`${quotes}/${quote.id}/work-packages`, { name: 'All' });
  const line = { description: 'felt '.repeat(length / 5), quantity: 1, unit: 'h', unitPrice: 10 };
  for (let n = 0; n < lines; n += 1) await post(`${quotes}/${quote.id}/work-packages/${part.id}/items`, line);
  return quote.id;
}
