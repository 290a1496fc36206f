import { isTenantryError, TenantryError } from './errors.ts';
import type { OperationId } from './generated/operations.ts';
import type { ClientOptions, SignedOutReason, Tokens } from './options.ts';
import type { Operation, Request } from './requests.ts';
import { Tabs, type News } from './tabs.ts';

/** The part of a response that updates the session: of sign-ins, renewals and `getStart`. */
export interface SessionAnswer {
  readonly session?: IssuedSession | null;
  readonly status?: 'signed-in' | 'renewable' | 'signed-out';
  readonly reason?: SignedOutReason | 'SESSION_ADDRESS_CHANGED' | null;
  readonly csrfToken?: string | null;
  /** Of `getCsrfToken`. */
  readonly token?: string;
  readonly user?: { readonly id: string; readonly organizationId?: string | null } | null;
  readonly organization?: { readonly id: string } | null;
}

interface IssuedSession {
  readonly token?: string;
  readonly refreshToken?: string;
  readonly csrfToken?: string;
}

/** A call and its response. */
interface Call {
  readonly id: OperationId;
  readonly request: Request;
  /** Whether the session itself made the call. */
  readonly isOwn: boolean;
}

/** Sends a request of the session itself, without recovery from refusals. */
export type SendPlain = (id: OperationId, request: Request) => Promise<SessionAnswer>;

/**
 * The client's only state of its session: its CSRF token, its user, the organization of calls, and the last write to each
 * service. The tokens are cookies in a page, and in a store anywhere else.
 */
export class Session {
  readonly #options: ClientOptions;
  readonly #tabs: Tabs;
  #renewing: Promise<boolean> | undefined;
  readonly #written = new Map<string, string>();
  #csrfToken: string | undefined;
  #userId: string | undefined;
  #organizationId: string | undefined;
  #renewals = 0;
  /** What the page has been notified of, until there is a session or organization again. */
  #isOver = false;
  #isElsewhere = false;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#tabs = new Tabs(options.baseUrl ?? '', (news) => this.#hear(news));
  }

  /** Whether cookies carry the session. */
  get isPage(): boolean {
    return this.#options.tokens === undefined && this.#options.key === undefined;
  }

  /** Changes whenever the session is renewed: a call that was refused before may then be repeated immediately. */
  async mark(): Promise<unknown> {
    return this.isPage ? this.#renewals : (await this.#tokens()).accessToken;
  }

  /** The headers by which a request belongs to this session. */
  async headersOf(operation: Operation): Promise<Record<string, string | undefined>> {
    const { device, key } = this.#options;
    const isRead = operation.method === 'GET';
    const token = key ?? (await this.#tokens()).accessToken;
    return {
      authorization: token && `Bearer ${token}`,
      'x-csrf-token': isRead ? undefined : this.#csrfToken,
      'consistency-token': isRead ? this.#written.get(operation.service) : undefined,
      'expected-organization': operation.meansOrganization ? this.#organizationId : undefined,
      'x-client-platform': device?.platform,
      'x-client-version': device?.version,
      'x-device-id': device?.id,
    };
  }

  /** The refresh token, for the bodies that take it. */
  async refreshToken(): Promise<string | undefined> {
    return (await this.#tokens()).refreshToken;
  }

  /** Keeps a service's consistency token, so that later lists include the change. */
  noteWritten({ service }: Operation, token: string | null): void {
    if (token !== null) this.#written.set(service, token);
  }

  /** Updates the session from the response to a call. */
  async learn({ id, request, isOwn }: Call, answer: SessionAnswer): Promise<void> {
    const { session, user } = answer;
    if (session?.token !== undefined) await this.#take(session);
    if (id === 'getCsrfToken') this.#csrfToken = answer.token;
    if (id === 'getStart') this.#csrfToken = answer.csrfToken ?? undefined;
    // Renewing the session changes neither its user nor the organization of calls.
    if (isOwn) return;
    if (id === 'signOut') await this.#signOut();
    else if (id === 'getStart') {
      if (answer.status !== 'renewable') this.#belongTo(user?.id, answer.organization?.id);
    } else if (id === 'switchOrganization') {
      const { organizationId } = request.body as { readonly organizationId: string };
      this.#belongTo(this.#userId, organizationId);
      this.#tabs.tell({ organizationId });
    } else if (session?.token !== undefined && user) {
      this.#belongTo(user.id, user.organizationId ?? undefined);
      this.#tabs.tell('signed-in');
    }
  }

  /**
   * Renews the session for a call that was refused in this state; once for all calls and tabs that wait.
   *
   * @returns whether the call may be repeated; false once the session has ended
   */
  async renew(mark: unknown, send: SendPlain): Promise<boolean> {
    // The gateway exchanges the key again once its token has been refused.
    if (this.#options.key !== undefined) return true;
    if (mark !== (await this.mark())) return true;
    const renew = () => (this.isPage ? this.#renewCookies(send) : this.#renewTokens(send));
    this.#renewing ??= this.#tabs.inTurn(renew).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** The organization of the calls is no longer active. */
  noteOtherOrganization(): void {
    const isTold = this.#isElsewhere;
    this.#isElsewhere = true;
    if (!isTold) this.#options.onOrganizationChanged?.();
  }

  /** The session has ended. */
  async end(reason: SignedOutReason): Promise<void> {
    const isTold = this.#isOver;
    this.#isOver = true;
    this.#csrfToken = undefined;
    await this.#options.tokens?.write(null);
    if (!isTold) this.#options.onSignedOut?.(reason);
  }

  async #tokens(): Promise<Partial<Tokens>> {
    return (await this.#options.tokens?.read()) ?? {};
  }

  /** Another tab may have renewed the session by now, so this is checked first. */
  async #renewCookies(send: SendPlain): Promise<boolean> {
    let start = await send('getStart', {});
    if (start.status === 'renewable') {
      await send('refreshSession', {});
      start = await send('getStart', {});
    }
    const { status, user, reason } = start;
    if (reason === 'SESSION_ADDRESS_CHANGED') throw new TenantryError('getStart', { code: reason });
    // A call of one user is never repeated as another user who has since signed in, in this browser.
    const isOther = this.#userId !== undefined && this.#userId !== user?.id;
    if (status === 'signed-in' && !isOther) {
      this.#renewals += 1;
      return true;
    }
    await this.end(reason ?? 'SIGNED_OUT');
    return false;
  }

  async #renewTokens(send: SendPlain): Promise<boolean> {
    try {
      if ((await this.refreshToken()) !== undefined) {
        await send('refreshSession', {});
        return true;
      }
    } catch (error) {
      if (!isTenantryError(error) || error.code !== 'INVALID_REFRESH_TOKEN') throw error;
    }
    await this.end('SESSION_ENDED');
    return false;
  }

  /** In a page the tokens came as cookies too, and are dropped unread. */
  async #take({ token, refreshToken, csrfToken }: IssuedSession): Promise<void> {
    this.#csrfToken = csrfToken ?? this.#csrfToken;
    this.#renewals += 1;
    this.#isOver = false;
    const { tokens } = this.#options;
    if (!tokens || token === undefined) return;
    await tokens.write({ accessToken: token, refreshToken: refreshToken ?? (await this.refreshToken()) });
  }

  #belongTo(userId: string | undefined, organizationId: string | undefined): void {
    if (userId !== this.#userId || organizationId !== this.#organizationId) this.#written.clear();
    this.#userId = userId;
    this.#organizationId = organizationId;
    this.#isOver &&= userId === undefined;
    this.#isElsewhere = false;
  }

  async #signOut(): Promise<void> {
    this.#csrfToken = undefined;
    this.#belongTo(undefined, undefined);
    await this.#options.tokens?.write(null);
    this.#tabs.tell('signed-out');
  }

  #hear(news: News): void {
    if (news === 'signed-in') this.#options.onSignedIn?.();
    else if (news === 'signed-out') void this.end('SIGNED_OUT');
    else if (news.organizationId !== this.#organizationId) this.noteOtherOrganization();
  }
}
