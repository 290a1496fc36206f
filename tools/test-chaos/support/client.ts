import { randomUUID } from 'node:crypto';
import { canary, patience } from '@tenantry/test-kit';
import { expect } from 'vitest';

/** A request. */
export interface Question {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly token?: string;
  /** Idempotency-Key. */
  readonly key?: string;
}

/** What came of it; status 0 where the connection broke or nothing came in time. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a request from one client address; never rejects. */
export type Ask = (question: Question) => Promise<Reply>;

/** What starts or renews a session, as far as tests read it. */
export interface Session {
  readonly token: string;
  readonly refreshToken: string;
}

/** Somebody with a session. */
export interface Account {
  readonly email: string;
  readonly password: string;
  token: string;
  refreshToken: string;
}

/** Longer than the gateway's own patience: whatever takes longer hangs. */
const patienceMs = patience(15_000);

/** Makes a client with an address of its own, which sends to the given base URL. */
export function createAsk(url: () => string, address = newAddress()): Ask {
  return async ({ method, path, body, token, key }) => {
    try {
      const response = await fetch(`${url()}${path}`, {
        method,
        headers: {
          'x-forwarded-for': address,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(patienceMs),
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (error) {
      const { message, cause } = error as Error;
      return { status: 0, headers: new Headers(), text: `${message} (${String(cause)})` };
    }
  };
}

let addresses = 0;

/** An address that the gateway takes a client's to be. */
function newAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** Makes an account. */
export async function signUp(ask: Ask): Promise<Account> {
  const email = `ada-${randomUUID()}@people.example`;
  const password = `${canary} ${randomUUID()}`;
  const body = { email, password, name: 'Ada Lovelace' };
  const { status, text } = await ask({ method: 'POST', path: '/api/auth/sign-up/email', body });
  expect(status, text).toBe(201);
  const { session } = JSON.parse(text) as { session: Session };
  return { email, password, token: session.token, refreshToken: session.refreshToken };
}

/** Signs in. */
export async function signIn(ask: Ask, { email, password }: Account): Promise<Session> {
  const { status, text } = await ask({
    method: 'POST',
    path: '/api/auth/sign-in/email',
    body: { email, password },
  });
  expect(status, text).toBe(200);
  return (JSON.parse(text) as { session: Session }).session;
}
