import { answerOf, parse } from './answers.ts';
import { errorOf, isTenantryError, TenantryError } from './errors.ts';
import type { OperationId } from './generated/operations.ts';
import type { Answer, ListCall, Page } from './methods.ts';
import type { ClientOptions, SignedOutReason } from './options.ts';
import { definedOf, isStream, json, operationOf, urlOf, type Operation, type Request } from './requests.ts';
import { Session, type SessionAnswer } from './session.ts';
import { Confirmation, isWrongPassword } from './step-up.ts';
import { Unanswered } from './unanswered.ts';

/** What a refusal requires before the call is sent again. */
type Remedy = 'renew' | 'step-up' | 'rebind';

/** Sends the calls of one client, recovers from refusals if possible, and reads the responses. */
export class Calls {
  readonly #options: ClientOptions;
  readonly #session: Session;
  readonly #confirmation: Confirmation;
  readonly #unanswered = new Unanswered();

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#session = new Session(options);
    this.#confirmation = new Confirmation(options);
  }

  /** One call, with its repetitions. */
  async call(id: OperationId, request: Request = {}): Promise<Answer<unknown, unknown>> {
    return this.#unanswered.send(id, request, (idempotencyKey) =>
      this.#attempt(id, { ...request, idempotencyKey }, new Set()),
    );
  }

  /** A call of a list, which can also be iterated over. */
  list(id: OperationId, request: Request = {}): ListCall<unknown> {
    const first = this.call(id, request) as Promise<Answer<Page<unknown>>>;
    return Object.assign(first, { [Symbol.asyncIterator]: () => this.#rows(id, request, first) });
  }

  async *#rows(id: OperationId, request: Request, first: Promise<Answer<Page<unknown>>>) {
    for (let answer = await first; ;) {
      const { rows, page, pageSize, total } = answer.data;
      yield* rows;
      if (rows.length === 0 || page * pageSize >= total) return;
      const query = { ...request.query, page: page + 1 };
      answer = (await this.call(id, { ...request, query })) as Answer<Page<unknown>>;
    }
  }

  /** Each remedy is tried once, each proof of a step-up too: a code may be followed by the password. */
  async #attempt(id: OperationId, request: Request, tried: Set<string>): Promise<Answer<unknown, unknown>> {
    const mark = await this.#session.mark();
    try {
      return await this.#send(id, request);
    } catch (error) {
      const more = await this.#recover(error, { request, tried, mark });
      return this.#attempt(id, { ...request, ...more }, tried);
    }
  }

  /** @returns changes to the request, which may now be sent again. @throws the error that prevents it */
  async #recover(error: unknown, call: Failed): Promise<Partial<Request>> {
    const { request, tried, mark } = call;
    if (!isTenantryError(error)) throw error;
    if (error.code === 'ORGANIZATION_CHANGED') this.#session.noteOtherOrganization();
    const remedy = this.#remedyOf(error, tried);
    if (remedy === undefined && error.code === 'UNAUTHENTICATED') {
      await this.#session.end(error.reason as SignedOutReason);
    }
    // A stream cannot be sent again.
    if (remedy === undefined || isStream(request.body)) throw error;
    tried.add(remedy).add(keyOf(remedy, error));
    try {
      if (remedy === 'step-up') return await this.#stepUp(error, request);
      if (remedy === 'rebind') await this.#rebind(error);
      else if (!(await this.#session.renew(mark, this.#plain))) throw error;
      return {};
    } catch (failure) {
      if (failure === error) throw error;
      return this.#recover(failure, call);
    }
  }

  #remedyOf(error: TenantryError, tried: ReadonlySet<string>): Remedy | undefined {
    const { code, reason = '' } = error;
    // The user may mistype the password more than once.
    if (tried.has('step-up') && isWrongPassword(error)) return 'step-up';
    const remedy = remedies[code] ?? remedies[reason];
    return remedy !== undefined && tried.has(keyOf(remedy, error)) ? undefined : remedy;
  }

  async #stepUp(error: TenantryError, request: Request): Promise<Partial<Request>> {
    const answer = await this.#confirmation.stepUp(error, (id, sent) => this.call(id, sent));
    return 'password' in answer ? { body: { ...(request.body as object), ...answer } } : {};
  }

  async #rebind(error: TenantryError): Promise<void> {
    await this.#confirmation.rebind(error, async (id, request) => {
      if (this.#session.isPage) await this.#plain('getCsrfToken', {});
      return this.#plain(id, request);
    });
  }

  /** A request of the session's own. */
  readonly #plain = async (id: OperationId, request: Request): Promise<SessionAnswer> =>
    (await this.#send(id, request, true)).data as SessionAnswer;

  async #send(id: OperationId, request: Request, isOwn = false): Promise<Answer<unknown, unknown>> {
    const operation = operationOf(id);
    const { response, body } = await this.#exchange(id, request, operation);
    const answer = typeof body === 'string' ? parse(body) : body;
    if (!response.ok || answer === null) throw errorOf(id, response, answer);
    this.#session.noteWritten(operation, response.headers.get('consistency-token'));
    await this.#session.learn({ id, request, isOwn }, answer ?? {});
    return answerOf(answer, response, operation);
  }

  /** Sends a request and reads the whole response. */
  async #exchange(id: OperationId, request: Request, operation: Operation): Promise<Exchange> {
    const { baseUrl = '', key, fetch: fetching = fetch } = this.#options;
    const { sends, method, isFile } = operation;
    const { signal, keepalive, ifMatch, idempotencyKey } = request;
    const body = await this.#bodyOf(id, request);
    const headers = {
      'content-type': body === undefined ? undefined : (body as Partial<Blob>).type || sends,
      'if-match': ifMatch,
      'idempotency-key': idempotencyKey,
      ...(await this.#session.headersOf(operation)),
    };
    try {
      const response = await fetching(baseUrl + urlOf(operation, request), {
        method,
        headers: Object.fromEntries(definedOf(headers)),
        credentials: this.#session.isPage ? 'include' : 'omit',
        // Whatever `fetch` does with headers then, a key is sent nowhere else.
        redirect: key === undefined ? undefined : 'error',
        body: sends === json ? JSON.stringify(body) : body,
        signal,
        keepalive,
        duplex: 'half',
      } as RequestInit);
      return { response, body: await (isFile && response.ok ? response.blob() : response.text()) };
    } catch (error) {
      if (signal?.aborted === true) throw error;
      throw new TenantryError(id, { code: 'OFFLINE', cause: error });
    }
  }

  /** Without cookies, a session is renewed with its refresh token. */
  async #bodyOf(id: OperationId, { body }: Request): Promise<unknown> {
    if (id !== 'refreshSession' && id !== 'rebindSession') return body;
    return { refreshToken: await this.#session.refreshToken(), ...(body as object) };
  }
}

/** A call that was refused. */
interface Failed {
  readonly request: Request;
  readonly tried: Set<string>;
  /** State of the session when the call was sent. */
  readonly mark: unknown;
}

interface Exchange {
  readonly response: Response;
  readonly body: string | Blob;
}

/** What is tried once. */
const keyOf = (remedy: Remedy, { reason }: TenantryError): string =>
  remedy === 'step-up' ? `step-up ${reason}` : remedy;

/** By code and by reason. */
const remedies: Partial<Record<string, Remedy>> = {
  TOKEN_EXPIRED: 'renew',
  TOKEN_REVOKED: 'renew',
  // In a page the access cookie may expire before the refresh cookie; any other client without a token has nothing to renew
  // with.
  TOKEN_MISSING: 'renew',
  CSRF_FAILED: 'renew',
  INSUFFICIENT_USER_AUTHENTICATION: 'step-up',
  SESSION_ADDRESS_CHANGED: 'rebind',
};
