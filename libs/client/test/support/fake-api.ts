/** A request as the API received it. */
export interface Received {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  /** `GET /api/leads`. */
  readonly route: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly credentials: string | undefined;
}

/** What the API answers. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Answers one route. */
export type Route = (request: Received) => Reply | Promise<Reply>;

/** The state of the API's session. */
interface Standing {
  /** Undefined while signed out. */
  userId: string | undefined;
  organizationId: string;
  isExpired: boolean;
  isRenewable: boolean;
  csrfToken: string;
  accessToken: string;
  refreshToken: string;
  /** Why a page is not signed in, where nothing else says so. */
  reason: string;
}

/**
 * The API as far as the guarantees of the client need it: one session that expires, ends and changes hands, and routes that
 * a test adds. It speaks `fetch`, so it runs wherever the client does.
 */
export class FakeApi {
  readonly received: Received[] = [];
  readonly standing: Standing = {
    userId: 'ada',
    organizationId: 'engines',
    isExpired: false,
    isRenewable: true,
    csrfToken: 'csrf-1',
    accessToken: 'access-1',
    refreshToken: 'refresh-1',
    reason: 'TOKEN_MISSING',
  };
  readonly #routes = new Map<string, Route>();
  readonly #usesCookies: boolean;
  #renewals = 1;

  constructor({ usesCookies = true } = {}) {
    this.#usesCookies = usesCookies;
    this.on('GET /api/auth/start', () => ({ body: this.start() }));
    this.on('GET /api/auth/csrf', () => ({ body: { token: this.standing.csrfToken } }));
    this.on('POST /api/auth/refresh', (request) => this.#refresh(request));
    this.on('POST /api/auth/sign-in/email', () => ({ body: { ...this.#signedIn(), session: this.renew() } }));
    this.on('POST /api/auth/sign-out', () => {
      this.standing.userId = undefined;
      return { body: { success: true } };
    });
  }

  /** Adds a route, in place of an earlier one. */
  on(route: string, answer: Route): void {
    this.#routes.set(route, answer);
  }

  /** Adds a route that refuses a number of times before it answers. */
  refusing(route: string, refusals: readonly Reply[], answer: Route): void {
    const left = [...refusals];
    this.on(route, (request) => left.shift() ?? answer(request));
  }

  /** The requests of a route. */
  requests(route: string): Received[] {
    return this.received.filter((request) => request.route === route);
  }

  /** A session with new tokens, as answers that start or renew one have it. */
  renew(): object {
    this.#renewals += 1;
    const number = this.#renewals;
    const tokens = { accessToken: `access-${number}`, refreshToken: `refresh-${number}` };
    Object.assign(this.standing, tokens, { isExpired: false, csrfToken: `csrf-${number}` });
    const { accessToken: token, refreshToken, csrfToken } = this.standing;
    const session = { id: 'session', token, expiresAt: moment, tokenExpiresAt: moment };
    return this.#usesCookies ? { ...session, csrfToken } : { ...session, refreshToken };
  }

  /** What `getStart` answers. */
  start(): object {
    const { userId, isExpired, isRenewable, organizationId, csrfToken, reason } = this.standing;
    if (userId === undefined) return { ...signedOut, status: 'signed-out', reason, csrfToken: null };
    if (isExpired && isRenewable)
      return { ...signedOut, status: 'renewable', reason: 'TOKEN_EXPIRED', csrfToken };
    if (isExpired) return { ...signedOut, status: 'signed-out', reason: 'SESSION_ENDED', csrfToken: null };
    const organization = { id: organizationId, name: 'Engines', slug: 'engines', role: 'owner' };
    const user = {
      ...{ id: userId, email: 'ada@example.com', emailVerified: true, name: 'Ada' },
      ...{ language: null, timeZone: null },
    };
    return { ...signedOut, status: 'signed-in', reason: null, csrfToken, user, organization };
  }

  /** To be given to the client. */
  readonly fetch: typeof fetch = async (input, init = {}) => {
    init.signal?.throwIfAborted();
    const { pathname, search } = new URL(input as string, 'http://page.example');
    const request: Received = {
      method: init.method ?? 'GET',
      url: pathname + search,
      route: `${init.method ?? 'GET'} ${pathname}`,
      headers: (init.headers ?? {}) as Record<string, string>,
      body: await bodyOf(init.body),
      credentials: init.credentials,
    };
    this.received.push(request);
    // As on a network: what is asked at once is answered later.
    await new Promise((resolve) => setTimeout(resolve, 1));
    return responseOf(this.#refusalOf(request) ?? (await this.#answer(request)));
  };

  async #answer(request: Received): Promise<Reply> {
    const answer = this.#routes.get(request.route);
    return answer ? answer(request) : refusal(404, 'NOT_FOUND');
  }

  /** What the gateway and every service refuse before they look at anything else. */
  #refusalOf({ route, method, headers }: Received): Reply | undefined {
    if (open.has(route)) return undefined;
    const { userId, isExpired, csrfToken, accessToken, organizationId } = this.standing;
    if (userId === undefined) return refusal(401, 'UNAUTHENTICATED', { reason: 'TOKEN_MISSING' });
    const isStale = !this.#usesCookies && headers['authorization'] !== `Bearer ${accessToken}`;
    if (isExpired || isStale) return refusal(401, 'UNAUTHENTICATED', { reason: 'TOKEN_EXPIRED' });
    const isUnsafe = method !== 'GET';
    if (this.#usesCookies && isUnsafe && headers['x-csrf-token'] !== csrfToken)
      return refusal(403, 'CSRF_FAILED');
    const meant = headers['expected-organization'];
    return meant === undefined || meant === organizationId ? undefined : refusal(409, 'ORGANIZATION_CHANGED');
  }

  #refresh({ headers, body }: Received): Reply {
    const { isRenewable, csrfToken, refreshToken, userId } = this.standing;
    const shown = (body as { refreshToken?: string }).refreshToken;
    const isMine = this.#usesCookies ? headers['x-csrf-token'] === csrfToken : shown === refreshToken;
    if (!isRenewable || !isMine || userId === undefined) return refusal(401, 'INVALID_REFRESH_TOKEN');
    return { body: { session: this.renew() } };
  }

  #signedIn(): object {
    this.standing.userId ??= 'ada';
    const { userId: id, organizationId } = this.standing;
    return { user: { id, email: 'ada@example.com', name: 'Ada', organizationId } };
  }
}

/** Routes that ask for no session. */
const open = new Set([
  ...['GET /api/auth/start', 'GET /api/auth/csrf', 'POST /api/auth/refresh', 'POST /api/auth/session/rebind'],
  ...['POST /api/auth/sign-in/email', 'POST /api/auth/sign-out'],
]);

const moment = '2027-01-31T12:00:00.000Z';
const signedOut = { user: null, session: null, organization: null, organizations: [], permissions: [] };

/** A refusal in the envelope; auth-service has them plain, see {@link plainRefusal}. */
export function refusal(status: number, code: string, more: object = {}): Reply {
  const error = { code, message: 'No.', details: [], ...more };
  return { status, body: { data: null, error, meta: { timestamp: moment, requestId: 'request-1' } } };
}

/** A refusal as auth-service answers it. */
export const plainRefusal = (status: number, code: string, more: object = {}): Reply => ({
  status,
  body: { code, message: 'No.', requestId: 'request-1', ...more },
});

/** An answer in the envelope. */
export const enveloped = (
  data: unknown,
  meta: object = { timestamp: moment, requestId: 'request-1' },
): Reply => ({
  body: { data, error: null, meta },
});

/** The pages of a list of numbered rows. */
export const pagesOf =
  (total: number): Route =>
  ({ url }) => {
    const query = new URL(url, 'http://page.example').searchParams;
    const [page, pageSize] = [Number(query.get('page') ?? 1), Number(query.get('pageSize') ?? 10)];
    const first = (page - 1) * pageSize + 1;
    const count = Math.max(0, Math.min(pageSize, total - first + 1));
    const rows = Array.from({ length: count }, (_, index) => ({ id: String(first + index) }));
    return enveloped(rows, { total, page, pageSize });
  };

async function bodyOf(body: unknown): Promise<unknown> {
  if (typeof body !== 'string') return body instanceof Blob ? body.text() : body;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

/** Only what every `fetch` has, React Native's included: no stream of the body. */
function responseOf({ status = 200, headers = {}, body }: Reply): Response {
  const all: Readonly<Record<string, string>> = { 'x-request-id': 'request-1', ...headers };
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name: string) => all[name.toLowerCase()] ?? null },
    text: async () => text,
    blob: async () => new Blob([text], { type: all['content-type'] ?? '' }),
  } as unknown as Response;
}
