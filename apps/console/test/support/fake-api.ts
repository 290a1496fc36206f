import type { api, ErrorCode } from '@tenantry/client';

/** A request as it reached the API. */
export interface Sent {
  /** `POST /api/auth/sign-in/email`. */
  readonly operation: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
  /** The version that it was made on. */
  readonly ifMatch: string | undefined;
}

/** What the API answers: data or a file as it is, with its headers, or a status with a refusal. */
export type Reply = object | Blob | Response | Refusal;

/** A refusal, and its status. */
export class Refusal {
  readonly #status: number;
  readonly #body: object;

  constructor(status: number, code: ErrorCode, more: object = {}) {
    this.#status = status;
    this.#body = { code, message: 'for developers', requestId: 'a-request', ...more };
  }

  toResponse(): Response {
    // What is refused for a while says for how long.
    const headers = { 'retry-after': '40' };
    return Response.json(this.#body, { status: this.#status, ...(this.#status === 429 && { headers }) });
  }
}

type Answer = Reply | ((request: Sent) => Reply | Promise<Reply>);

const nothing = { new: 0, contacted: 0, qualified: 0, lost: 0, won: 0 };
/** The statistics of an organization without leads. */
export const noLeads = { total: 0, byStatus: nothing, series: [{ start: '2026-11-23', entered: nothing }] };

/** An API that answers what a test says; what it was not told about fails the test. */
export class FakeApi {
  readonly requests: Sent[] = [];
  /** What was answered, but for files and refusals. */
  readonly replies: object[] = [];
  /** Operations that the test says nothing about. */
  readonly unexpected: string[] = [];
  readonly #answers = new Map<string, Answer>();

  constructor(start: api.Start) {
    this.start = start;
    this.on('GET /api/auth/audit', { events: [], total: 0, page: 1, pageSize: 10 });
    this.on('GET /api/auth/organization/joinable', { organizations: [] });
    this.on('GET /api/auth/ways-in', { password: true, mailed: false, passkeys: [], identities: [] });
    // What the first page reads, of an organization that has nothing yet.
    this.on('GET /api/leads/statistics', { data: noLeads, error: null, meta: {} });
    this.on('GET /api/leads', { data: [], error: null, meta: { total: 0, page: 1, pageSize: 5 } });
  }

  /** The state of the session from now on. */
  set start(start: api.Start) {
    this.on('GET /api/auth/start', start);
  }

  on(operation: string, answer: Answer): this {
    this.#answers.set(operation, answer);
    return this;
  }

  /** What was sent to an operation. */
  sentTo(operation: string): unknown[] {
    return this.requests.filter((request) => request.operation === operation).map(({ body }) => body);
  }

  readonly fetch: typeof fetch = async (input, { method = 'GET', body, headers } = {}) => {
    const { pathname, searchParams } = new URL(new Request(input).url);
    const query = Object.fromEntries(searchParams);
    const operation = `${method} ${pathname}`;
    const parsed = typeof body === 'string' ? (JSON.parse(body) as unknown) : body;
    const idempotencyKey = new Headers(headers).get('idempotency-key') ?? undefined;
    const ifMatch = new Headers(headers).get('if-match') ?? undefined;
    const request = { operation, query, body: parsed, idempotencyKey, ifMatch };
    this.requests.push(request);
    const answer = this.#answers.get(operation);
    if (answer === undefined) {
      this.unexpected.push(operation);
      throw new Error(`The test says nothing about ${operation}.`);
    }
    const reply =
      typeof answer === 'function'
        ? await (answer as (given: Sent) => Reply | Promise<Reply>)(request)
        : answer;
    if (reply instanceof Refusal) return reply.toResponse();
    if (reply instanceof Blob) return new Response(reply);
    this.replies.push(reply instanceof Response ? ((await reply.clone().json()) as object) : reply);
    return reply instanceof Response ? reply.clone() : Response.json(reply);
  };
}
