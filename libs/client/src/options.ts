import type { ReasonOf } from './errors.ts';
import type { OnRebind, OnStepUp } from './step-up.ts';

/** Why a session is over. `SIGNED_OUT`: by a person, in another tab. */
export type SignedOutReason = ReasonOf<'UNAUTHENTICATED'> | 'SIGNED_OUT';

/** What the client asks of its application, and tells it. */
export interface Handlers {
  /** An operation asks the user to confirm who they are. Without a handler the call rejects. */
  readonly onStepUp?: OnStepUp | undefined;
  /** The session belongs to another network address. Without a handler the call rejects. */
  readonly onRebind?: OnRebind | undefined;
  /** The session is over, once for each session. */
  readonly onSignedOut?: ((reason: SignedOutReason) => void) | undefined;
  /** Another organization is active than the one that calls mean: another tab has switched. */
  readonly onOrganizationChanged?: (() => void) | undefined;
}

/** A page: its session is in cookies that no script can read. */
export interface PageOptions extends Handlers {
  /** Where the API is, without a slash at its end; by default, where the page is. */
  readonly baseUrl?: string | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Somebody has signed in, in another tab. */
  readonly onSignedIn?: (() => void) | undefined;
}

/** Anything else: a program, a server, an app on a phone. It keeps its tokens itself. */
export interface TokenOptions extends Handlers {
  /** `https://api.example.com`. */
  readonly baseUrl: string;
  readonly tokens: TokenStore;
  /** Names the app and the device to the service, so that a session is bound to it. */
  readonly device?: Device | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/** What either kind of client is made with; with tokens it is no page. */
export interface ClientOptions extends PageOptions {
  readonly tokens?: TokenStore | undefined;
  readonly device?: Device | undefined;
}

/** The tokens of a session. */
export interface Tokens {
  readonly accessToken: string;
  /** Renews the session; without one it ends with the access token. */
  readonly refreshToken?: string | undefined;
}

/** Where tokens are kept: in memory, or in the secure storage of a device. */
export interface TokenStore {
  read(): Tokens | null | Promise<Tokens | null>;
  /** Null when the session is over. */
  write(tokens: Tokens | null): void | Promise<void>;
}

/** An app on a device. */
export interface Device {
  readonly platform: 'ios' | 'android';
  /** Of the app. */
  readonly version: string;
  /** Stays the same while the app is installed. */
  readonly id: string;
}

/** Keeps tokens for as long as the program runs. */
export function tokensInMemory(initial: Tokens | null = null): TokenStore {
  let kept = initial;
  return {
    read: () => kept,
    write(tokens) {
      kept = tokens;
    },
  };
}
