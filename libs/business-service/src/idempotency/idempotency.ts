import { setTimeout as sleep } from 'node:timers/promises';
import { createDueWork, type Worker } from '@tenantry/outbox';
import type { Logger, Service } from '@tenantry/service-kit';
import type { TenantDatabase } from '@tenantry/tenancy';
import type { BackgroundWork } from '../background.ts';
import type { RequestTenants } from '../tenants.ts';
import { keyInUse, keyReused } from './idempotency.errors.ts';
import { answerOnce } from './answer-once.ts';
import { idempotentHandler, withKeyHeader } from './idempotent-route.ts';
import { createKeptAnswers, forgettingKind, type KeptAnswers } from './kept-answers.ts';

/** What idempotency is made with. */
export interface IdempotencyOptions<Client> {
  readonly database: TenantDatabase<Client>;
  readonly tenants: RequestTenants<Client>;
  readonly logger: Logger;
}

/** Requests that are done once, however often they are sent. */
export interface Idempotency {
  /** Has routes that declare `idempotent` honour an Idempotency-Key. Call it before they are added. */
  serve(app: Service): void;
  /** Forgets answers that are over, where there are such routes. */
  readonly forgetting: BackgroundWork;
}

const daySeconds = 24 * 60 * 60;

/** Makes requests with an Idempotency-Key idempotent, on routes that declare it. */
export function createIdempotency<Client>(options: IdempotencyOptions<Client>): Idempotency {
  const { database, tenants, logger } = options;
  let answers: KeptAnswers | undefined;
  let forgetter: Worker | undefined;
  let measure: Service['measure'] | undefined;

  const startForgetting = (kept: KeptAnswers) => {
    forgetter = createDueWork({
      database,
      logger,
      pollSeconds: 60,
      attemptsMax: Number.MAX_SAFE_INTEGER,
      kinds: {
        [forgettingKind]: {
          async work(_item, { tenant, signal }) {
            while (!signal.aborted && (await kept.forget(tenant)) > 0) continue;
            // An organization that has used a key once is looked at once a day from then on.
            return { againAfterSeconds: daySeconds };
          },
        },
      },
    });
    measure?.(forgetter.measurements);
    forgetter.start();
  };

  return {
    serve(app) {
      measure = (measurements) => app.measure(measurements);
      app.addHook('onRoute', (route) => {
        if (route.config?.idempotent !== true) return;
        if (!route.config.access?.includes(':')) {
          throw new Error(`${route.url} is idempotent and needs a permission: a key belongs to a member.`);
        }
        const kept = (answers ??= createKeptAnswers());
        route.schema = withKeyHeader(route.schema);
        route.config = { ...route.config, errors: [...(route.config.errors ?? []), keyReused(), keyInUse()] };
        route.handler = idempotentHandler(route.handler, {
          tenants,
          once: (request) => answerOnce({ ...request, answers: kept, pause: sleep }),
        });
      });
    },
    forgetting: {
      start() {
        if (answers) startForgetting(answers);
      },
      async close() {
        await forgetter?.close();
      },
    },
  };
}
