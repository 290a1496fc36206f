import { FairShares } from '@tenantry/fair-shares';
import type { Logger } from '@tenantry/service/logging';
import { measureShares, type Measurement } from '@tenantry/service/metrics';
import { BoundedMemory } from '@tenantry/service/rate-limits';
import { sharerOf } from '../callers/caller.ts';
import type { Upstream } from '../upstream/upstream.ts';

/** A session that is used on another device or network. */
export interface Misuse {
  /** Of its token, which is reported once a minute at most. */
  readonly tokenDigest: string;
  /** Where it is used: the client address as it is counted. */
  readonly address: string;
  /** Of the report. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface MisuseReportsOptions {
  /** Undefined if no route leads to auth-service. */
  readonly auth: Upstream | undefined;
  readonly logger: Logger;
  readonly now?: () => number;
}

const path = '/api/auth/session';

/**
 * Reports a session that another device or network uses to auth-service, which decides what follows. Reports are bounded, and
 * use the same connections as requests.
 */
export class MisuseReports {
  readonly measurements: readonly Measurement[];
  readonly #options: MisuseReportsOptions;
  /** Tokens that were reported within the last minute. */
  readonly #reported: BoundedMemory;
  // Anyone can forge a cookie that causes a report, so few run at a time, an address has at most three of them, and none waits.
  readonly #shares = new FairShares({
    name: 'misuse-reports',
    runningMax: 16,
    partOfFreeMax: 1 / 4,
    waitingMax: 0,
  });

  constructor(options: MisuseReportsOptions) {
    this.#options = options;
    const { now = () => performance.now() } = options;
    this.#reported = new BoundedMemory({ max: 1, seconds: 60, keysMax: 10_000, now });
    this.measurements = measureShares(this.#shares);
  }

  report({ tokenDigest, address, headers }: Misuse): void {
    const { auth, logger } = this.#options;
    const share = this.#shares.takeNow(sharerOf({ address }));
    const instance =
      share &&
      this.#reported.count(tokenDigest).used === 1 &&
      auth?.choose({ except: undefined, repeatable: true });
    if (!instance) {
      share?.giveBack();
      return;
    }
    const over = (): void => {
      share.giveBack();
      instance.release();
    };
    instance.dispatch(
      { path, method: 'GET', headers },
      {
        onRequestStart: () => undefined,
        onResponseStart: () => {
          instance.succeed();
        },
        onResponseData: () => undefined,
        onResponseEnd: over,
        onResponseError: (_controller, error) => {
          over();
          logger.warn({ err: error }, 'misuse of a session could not be reported to the auth service');
        },
      },
    );
  }
}
