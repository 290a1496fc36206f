import type { Logger } from '@tenantry/service-kit';
import type { Upstream } from '../upstream/upstream.ts';

/** Shows the auth service a session that is used where it does not belong; it decides what follows. */
export interface MisuseReports {
  /** @param tokenDigest of the token that is misused; it is reported once a minute at most. */
  report(tokenDigest: string, headers: Readonly<Record<string, string>>): void;
}

/** What the reports need. */
export interface MisuseReportsOptions {
  /** Undefined where no route leads to the auth service. */
  readonly auth: Upstream | undefined;
  readonly logger: Logger;
  readonly now?: () => number;
}

const path = '/api/auth/session';
/** Anyone can forge a cookie that needs a report, so they are few at a time and none waits. */
const underWayMax = 4;
const intervalMs = 60_000;
const rememberedMax = 10_000;

/** Makes the reports: bounded, over the connections that requests take as well. */
export function createMisuseReports({ auth, logger, now = () => performance.now() }: MisuseReportsOptions) {
  const reportedAt = new Map<string, number>();
  let underWay = 0;

  function isDue(tokenDigest: string): boolean {
    const last = reportedAt.get(tokenDigest);
    if (last !== undefined && now() - last < intervalMs) return false;
    reportedAt.delete(tokenDigest);
    reportedAt.set(tokenDigest, now());
    const [oldest] = reportedAt.keys();
    if (reportedAt.size > rememberedMax && oldest !== undefined) reportedAt.delete(oldest);
    return true;
  }

  return {
    report(tokenDigest, headers) {
      if (underWay >= underWayMax || !isDue(tokenDigest)) return;
      const instance = auth?.choose({ except: undefined, repeatable: true });
      if (!instance) return;
      underWay++;
      const over = (): void => {
        underWay--;
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
    },
  } satisfies MisuseReports;
}
