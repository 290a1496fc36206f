import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { callOutside, type CallOutside } from '@tenantry/service/calls';
import { exportJWK, SignJWT, UnsecuredJWT } from 'jose';
import { onTestFinished } from 'vitest';
import { listenUntil } from './loopback-server.ts';

/** What a person at a provider is, in claims. */
export type Person = Readonly<Record<string, unknown>>;

/** In what a provider departs from what is right. */
export interface Departure {
  /** Of the ID token: another key signs it, or none does. */
  readonly signedBy?: 'another-key' | 'none';
  /** Put over the claims of the ID token. */
  readonly claims?: Person;
  /** Sent in place of the answer of the token endpoint. */
  readonly tokenAnswer?: { readonly status: number; readonly body: string };
  /** In place of its keys. */
  readonly keys?: (response: ServerResponse) => void;
  /** UserInfo, which by default has nothing but the subject. */
  readonly userInfo?: Person;
}

/** How a stand-in is made. */
export interface StandInOptions {
  /** The address that it passes for; its own on this machine where it has none. */
  readonly issuer?: string;
  readonly metadata?: Person;
  /** Of GitHub's API. */
  readonly gitHub?: { user: Person; emails: readonly Person[] };
}

interface Granted {
  readonly query: URLSearchParams;
  readonly person: Person;
}

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
const kid = 'stand-in';

/** A provider on this machine that responds as configured, and checks requests as a real one does. */
export class StandInProvider {
  readonly issuer: string;
  /** Where it is reached. */
  readonly address: string;
  departure: Departure = {};
  /** What its token endpoint was asked with. */
  readonly tokenRequests: URLSearchParams[] = [];
  readonly tokenHeaders: IncomingMessage['headers'][] = [];
  readonly #options: StandInOptions;
  readonly #granted = new Map<string, Granted>();

  private constructor(address: string, options: StandInOptions) {
    this.address = address;
    this.issuer = options.issuer ?? address;
    this.#options = options;
  }

  /** Listens until the test or the file ends. */
  static async start(options: StandInOptions = {}, until = onTestFinished): Promise<StandInProvider> {
    const { server, address } = await listenUntil(until);
    const provider = new StandInProvider(address, options);
    server.on('request', (request, response) => void provider.answer(request, response));
    return provider;
  }

  /** Its user agrees at the address that a sign-in began with. @returns what the browser is sent back with */
  agree(url: string, person: Person): Record<string, string> {
    const query = new URL(url).searchParams;
    const code = `code-${randomUUID()}`;
    this.#granted.set(code, { query, person });
    return { code, state: query.get('state') ?? '' };
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.address);
    if (pathname === '/jwks' && this.departure.keys) {
      this.departure.keys(response);
      return;
    }
    const form = new URLSearchParams(request.method === 'POST' ? await text(request) : '');
    const { status = 200, body } = await this.#answerTo(pathname, form, request.headers);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  async #answerTo(
    pathname: string,
    form: URLSearchParams,
    headers: IncomingMessage['headers'],
  ): Promise<{ readonly status?: number; readonly body: unknown }> {
    const { gitHub } = this.#options;
    if (pathname.endsWith('/.well-known/openid-configuration')) return { body: this.#metadata() };
    if (pathname === '/jwks')
      return { body: { keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'RS256' }] } };
    if (pathname === '/userinfo') return { body: this.departure.userInfo ?? {} };
    if (pathname === '/user') return { body: gitHub?.user ?? {} };
    if (pathname === '/user/emails') return { body: gitHub?.emails ?? [] };
    if (!/token$/.test(pathname)) return { status: 404, body: {} };
    this.tokenRequests.push(form);
    this.tokenHeaders.push(headers);
    return this.departure.tokenAnswer ?? { body: await this.#exchange(form) };
  }

  #metadata(): Person {
    const { origin } = new URL(this.issuer);
    return {
      issuer: this.issuer,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      jwks_uri: `${origin}/jwks`,
      userinfo_endpoint: `${origin}/userinfo`,
      id_token_signing_alg_values_supported: ['RS256', 'none'],
      ...this.#options.metadata,
    };
  }

  /** A code is good once, with the verifier of its challenge. @throws for anything else: a test has gone wrong */
  async #exchange(form: URLSearchParams): Promise<Person> {
    const granted = this.#granted.get(form.get('code') ?? '');
    if (!granted) return { error: 'bad_verification_code', error_description: 'The code is incorrect.' };
    this.#granted.delete(form.get('code') ?? '');
    const { query, person } = granted;
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (query.get('code_challenge') !== challenge) throw new Error('the code verifier is wrong');
    if (query.get('redirect_uri') !== form.get('redirect_uri'))
      throw new Error('the redirect URI is another');
    const tokens = { access_token: 'canary-access-token', token_type: 'bearer' };
    if (this.#options.gitHub) return tokens;
    return { ...tokens, id_token: await this.#idToken(query, person) };
  }

  async #idToken(query: URLSearchParams, person: Person): Promise<string> {
    const { signedBy, claims } = this.departure;
    const all = {
      iss: this.issuer,
      aud: query.get('client_id') ?? '',
      nonce: query.get('nonce') ?? '',
      ...person,
      ...claims,
    };
    if (signedBy === 'none') {
      return new UnsecuredJWT(all).setIssuedAt().setExpirationTime('5m').encode();
    }
    return new SignJWT(all)
      .setProtectedHeader({ alg: 'RS256', kid })
      .setIssuedAt()
      .setExpirationTime(typeof claims?.['exp'] === 'number' ? claims['exp'] : '5m')
      .sign(signedBy === 'another-key' ? other.privateKey : privateKey);
  }
}

/** Reaches stand-ins at the addresses that they pass for, and nothing else. */
export function reaching(standIns: Readonly<Record<string, StandInProvider>>): CallOutside {
  return (name, url, call) => {
    const { origin, pathname, search } = new URL(url);
    const address = standIns[origin]?.address ?? (origin.startsWith('http://127.0.0.1') ? origin : undefined);
    if (address === undefined) throw new TypeError(`${origin} is not on this machine`);
    return callOutside(name, address + pathname + search, call);
  };
}
