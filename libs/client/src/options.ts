import type { ReasonOf } from './errors.ts';
import type { OnRebind, OnStepUp } from './step-up.ts';

/** Why a session has ended. `SIGNED_OUT`: the user signed out, in another tab. */
export type SignedOutReason = ReasonOf<'UNAUTHENTICATED'> | 'SIGNED_OUT';

/** Callbacks of the client. */
export interface Handlers {
  /** An operation asks the user to confirm who they are. Without a handler the call rejects. */
  readonly onStepUp?: OnStepUp | undefined;
  /** The session belongs to another network address. Without a handler the call rejects. */
  readonly onRebind?: OnRebind | undefined;
  /** The session has ended; called once per session. */
  readonly onSignedOut?: ((reason: SignedOutReason) => void) | undefined;
  /** Another tab has switched to another organization. */
  readonly onOrganizationChanged?: (() => void) | undefined;
}

/** A page: its session is in cookies that no script can read. */
export interface PageOptions extends Handlers {
  /** The API's URL, without a trailing slash; default: the origin of the page. */
  readonly baseUrl?: string | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** The user has signed in, in another tab. */
  readonly onSignedIn?: (() => void) | undefined;
}

/** Any other client: a program, a server, a mobile app. It stores its tokens itself. */
export interface TokenOptions extends Handlers {
  /** `https://api.example.com`. */
  readonly baseUrl: string;
  readonly tokens: TokenStore;
  /** Identifies the app and the device, so that the session is bound to the device. */
  readonly device?: Device | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** A program of an organization. It has no session, so nothing to sign in to or to confirm. */
export interface KeyOptions {
  /** `https://api.example.com`. The key goes there alone: a redirect is an error. */
  readonly baseUrl: string;
  /** The key of a service account, `tak_…`. */
  readonly key: string;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** Options of any kind of client; with `tokens` or a `key` it is not a page. */
export interface ClientOptions extends PageOptions {
  readonly key?: string | undefined;
  readonly tokens?: TokenStore | undefined;
  readonly device?: Device | undefined;
}

/** The tokens of a session. */
export interface Tokens {
  readonly accessToken: string;
  /** Renews the session; without one it ends with the access token. */
  readonly refreshToken?: string | undefined;
}

/** Stores tokens: in memory, or in the secure storage of a device. */
export interface TokenStore {
  read(): Tokens | null | Promise<Tokens | null>;
  /** Null when the session has ended. */
  write(tokens: Tokens | null): void | Promise<void>;
}

/** An app on a device. */
export interface Device {
  readonly platform: 'ios' | 'android';
  /** Of the app. */
  readonly version: string;
  /** Does not change while the app is installed. */
  readonly id: string;
}

/** Stores tokens while the program runs. */
export function tokensInMemory(initial: Tokens | null = null): TokenStore {
  let kept = initial;
  return {
    read: () => kept,
    write(tokens) {
      kept = tokens;
    },
  };
}
