import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JWK } from 'jose';
import type { Revocation } from '../issuer/revocations.ts';

const jwksPath = '/api/auth/jwks';
const revocationsPath = '/internal/revocations';

/** The HTTP side of a test issuer: keys and revocations as the auth service publishes them. */
export class TestIssuerServer {
  /** How often the keys were asked for. */
  keyRequests = 0;
  /** How often the revocations were asked for. */
  revocationRequests = 0;
  /** Every revocation told so far, in order; the cursor is a position in it. */
  readonly #revocations: Revocation[] = [];
  readonly #waiting = new Set<() => void>();
  readonly #clock: () => number;
  #jwks: { readonly keys: JWK[] };
  #server: Server | undefined;
  #port = 0;

  private constructor(jwks: { readonly keys: JWK[] }, clock: () => number) {
    this.#jwks = jwks;
    this.#clock = clock;
  }

  /** Starts a server on a free port of 127.0.0.1. */
  static async start(
    jwks: { readonly keys: JWK[] },
    clock: () => number = Date.now,
  ): Promise<TestIssuerServer> {
    const server = new TestIssuerServer(jwks, clock);
    await server.start();
    return server;
  }

  /** The address of the auth service: what its tokens carry as `iss`. */
  get issuer(): string {
    return `${this.#origin}/api/auth`;
  }

  get jwksUrl(): string {
    return `${this.#origin}${jwksPath}`;
  }

  get revocationsUrl(): string {
    return `${this.#origin}${revocationsPath}`;
  }

  /** Replaces the published JWK set. */
  publish(jwks: { readonly keys: JWK[] }): void {
    this.#jwks = jwks;
  }

  /** Adds news to the feed and answers every waiting poll. */
  revoke(revocations: readonly Revocation[]): void {
    this.#revocations.push(...revocations);
    for (const answer of this.#waiting) answer();
  }

  /** Comes (back) on the same port. */
  async start(): Promise<void> {
    const server = createServer((request, response) => this.#answer(request, response));
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Goes away, cutting every connection. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    this.#waiting.clear();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }

  get #origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', this.#origin);
    if (url.pathname === jwksPath) {
      this.keyRequests++;
      sendJson(response, this.#jwks);
    } else if (url.pathname === revocationsPath) {
      this.revocationRequests++;
      this.#answerPoll(response, Number(url.searchParams.get('after') ?? 0), url.searchParams.get('wait'));
    } else {
      response.writeHead(404).end();
    }
  }

  #answerPoll(response: ServerResponse, after: number, waitSeconds: string | null): void {
    const answer = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(answer);
      const cursor = String(this.#revocations.length);
      sendJson(response, { cursor, entries: this.#revocations.slice(after), nowMs: this.#clock() });
    };
    const timer = setTimeout(answer, Number(waitSeconds) * 1000);
    response.on('close', () => {
      clearTimeout(timer);
      this.#waiting.delete(answer);
    });
    if (after < this.#revocations.length) answer();
    else this.#waiting.add(answer);
  }
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
