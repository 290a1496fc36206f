import {
  createTenantry,
  type api,
  type RebindDemand,
  type SignedOutReason,
  type StepUpAnswer,
  type StepUpDemand,
  type Tenantry,
} from '@tenantry/client';

/** A signed-in user, with everything that the first page needs. */
export type SignedIn = api.SignedInStart;

/** A question that the user is asked in a dialog while a call waits for the answer. */
export type Prompt =
  | {
      readonly kind: 'step-up';
      readonly demand: StepUpDemand;
      readonly answer: (given: StepUpAnswer | null) => void;
    }
  | {
      readonly kind: 'rebind';
      readonly demand: RebindDemand;
      readonly answer: (given: { readonly password: string } | { readonly code: string } | null) => void;
    };

/** The state of the session in this tab. */
export interface SessionState {
  /** Undefined until the API has answered for the first time. */
  readonly start: api.Start | undefined;
  /** The error of the first request. */
  readonly failure: unknown;
  readonly prompt: Prompt | undefined;
  /** Why the session ended while the page was open: the page stays until the user signs in again. */
  readonly ended: SignedOutReason | undefined;
  /** Another tab has switched to another organization. */
  readonly isElsewhere: boolean;
  /** Whether the browser is online. */
  readonly isOffline: boolean;
  /** Tokens of opened mailed links, by the page that uses them; stored only here. */
  readonly mailed: Readonly<Record<string, string | undefined>>;
}

/** Options of {@link SessionStore}. */
export interface SessionStoreOptions {
  readonly fetch?: typeof fetch;
  readonly origin?: string;
  readonly leave?: (url: string) => void;
}

/** The session of this tab: its state at the API, and the questions to the user. Creates the only client. */
export class SessionStore {
  readonly tenantry: Tenantry;
  /** Where this console is. */
  readonly origin: string;
  /** Leaves it for a page elsewhere. */
  readonly leave: (url: string) => void;
  readonly #listeners = new Set<() => void>();
  #state: SessionState = {
    start: undefined,
    failure: undefined,
    prompt: undefined,
    ended: undefined,
    isElsewhere: false,
    isOffline: false,
    mailed: {},
  };

  constructor({ fetch: fetching, origin = '', leave = () => undefined }: SessionStoreOptions = {}) {
    this.origin = origin;
    this.leave = leave;
    this.tenantry = createTenantry({
      ...(fetching && { fetch: fetching }),
      onStepUp: (demand) => this.#ask<StepUpAnswer>((answer) => ({ kind: 'step-up', demand, answer })),
      onRebind: (demand) => this.#ask((answer) => ({ kind: 'rebind', demand, answer })),
      onSignedOut: (reason) => this.#end(reason),
      onOrganizationChanged: () => this.#set({ isElsewhere: true }),
      onSignedIn: () => void this.load().catch(() => undefined),
    });
  }

  /** For React, which calls them without their object. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly getState = (): SessionState => this.#state;

  /** Loads the session from the API; renews it if possible, and selects the only organization if there is just one. */
  async load(): Promise<api.Start> {
    try {
      let { data: start } = await this.tenantry.getStart();
      if (start.status === 'renewable') {
        await this.tenantry.refreshSession({ body: {} });
        ({ data: start } = await this.tenantry.getStart());
      }
      const only = onlyOrganizationOf(start);
      if (only) {
        await this.tenantry.switchOrganization({ body: { organizationId: only.id } });
        ({ data: start } = await this.tenantry.getStart());
      }
      this.#set({ start, failure: undefined, ended: undefined, isElsewhere: false });
      return start;
    } catch (failure) {
      this.#set({ failure });
      throw failure;
    }
  }

  /** Like `load`; if it fails, the document is left, with everything that it has loaded. */
  async loadOrLeave(): Promise<void> {
    await this.load().catch(() => this.leave('/sign-in'));
  }

  /** The user has signed in again in a dialog over a page, which continues in its organization. */
  async resume(): Promise<api.Start> {
    const organizationId = this.#state.start?.organization?.id;
    const { data } = await this.tenantry.getStart();
    const wanted = data.organizations.find(({ id }) => id === organizationId);
    if (wanted?.accessible && !wanted.active) {
      await this.tenantry.switchOrganization({ body: { organizationId: wanted.id } });
    }
    return this.load();
  }

  /** Follows whether the browser is connected. */
  setOffline(isOffline: boolean): void {
    this.#set({ isOffline });
  }

  /** Stores the token of a mailed link while the user signs in; undefined once it was used. */
  keepMailed(page: string, token: string | undefined): void {
    this.#set({ mailed: { ...this.#state.mailed, [page]: token } });
  }

  /** A session that ends unexpectedly keeps the page; after a sign-out, here or in another tab, the page is left. */
  #end(reason: SignedOutReason): void {
    if (this.#state.start?.status !== 'signed-in') return;
    if (reason === 'SIGNED_OUT') void this.loadOrLeave();
    else this.#set({ ended: reason });
  }

  #ask<Given>(promptOf: (answer: (given: Given | null) => void) => Prompt): Promise<Given | null> {
    return new Promise((resolve) => {
      const prompt: Prompt = promptOf((given) => {
        // A second answer must not close the question that has come after it.
        if (this.#state.prompt === prompt) this.#set({ prompt: undefined });
        resolve(given);
      });
      this.#set({ prompt });
    });
  }

  #set(changed: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...changed };
    for (const listener of this.#listeners) listener();
  }
}

/** The organization in which a session continues after its own was left or deleted; among several the user chooses. */
function onlyOrganizationOf({ organization, organizations, session }: api.Start) {
  const [first, ...others] = organizations.filter(({ accessible }) => accessible);
  return organization === null && !session?.organizationRefused && others.length === 0 ? first : undefined;
}
