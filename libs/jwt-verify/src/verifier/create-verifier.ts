import type { Identity } from '../tokens/identity.ts';
import type { VerifierOptions } from '../issuer/options.ts';
import type { ClockStatus, KeyStatus, RevocationStatus } from './readiness.ts';
import { readSettings } from '../issuer/settings.ts';
import { LocalVerifier, type Verifier } from './verifier.ts';

/**
 * Makes a verifier, or throws a TypeError that names every option that is missing or wrong. On Node.js it starts
 * reading keys and revocations at once, in the background, and never keeps the process alive.
 *
 * A function that gives the options is called when the verifier is first used, for modules that are also loaded where
 * there is nothing to verify, and no configuration, as by `next build`.
 *
 * @example
 * const verifier = createVerifier({
 *   issuer: 'https://auth.example.com/api/auth',
 *   revocations: 'http://auth-service:3000/internal/revocations',
 * });
 * const identity = await verifier.verify(token);
 */
export function createVerifier(options: VerifierOptions | (() => VerifierOptions)): Verifier {
  if (typeof options === 'function') return new DeferredVerifier(options);
  return new LocalVerifier(readSettings(options));
}

/** A verifier that is made when it is first used. */
class DeferredVerifier implements Verifier {
  readonly #options: () => VerifierOptions;
  #made: Verifier | undefined;
  #closed = false;

  constructor(options: () => VerifierOptions) {
    this.#options = options;
  }

  get keys(): KeyStatus {
    return this.#verifier.keys;
  }

  get revocations(): RevocationStatus {
    return this.#verifier.revocations;
  }

  get clock(): ClockStatus {
    return this.#verifier.clock;
  }

  async verify(token: string): Promise<Identity> {
    return this.#verifier.verify(token);
  }

  verifyNow(token: string): Identity | Promise<Identity> {
    return this.#verifier.verifyNow(token);
  }

  async ready(options?: { readonly timeoutMs?: number }): Promise<void> {
    await this.#verifier.ready(options);
  }

  async unreadyBecause(): Promise<string | undefined> {
    return this.#verifier.unreadyBecause();
  }

  close(): void {
    this.#closed = true;
    this.#made?.close();
  }

  get #verifier(): Verifier {
    this.#made ??= createVerifier(this.#options());
    if (this.#closed) this.#made.close();
    return this.#made;
  }
}
