import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '@tenantry/service-kit';
import type { FastifyRequest } from 'fastify';
import { daySeconds, type Chores } from '../housekeeping.ts';
import type { RequestTenants } from '../tenants.ts';
import { keyInUse, keyReused } from './idempotency.errors.ts';
import { answerOnce } from './answer-once.ts';
import { idempotentHandler, requestKeyOf, withKeyHeader } from './idempotent-route.ts';
import { createKeptAnswers, forgettingKind, type KeptAnswers } from './kept-answers.ts';

/** Requests that are done once, however often they are sent. */
export interface Idempotency {
  /** Has routes that declare `idempotent` honour an Idempotency-Key. Call it before they are added. */
  serve(app: Service): void;
  /** Whether a request has been answered under its key: then it is not done again, and nothing needs to be prepared. */
  isAnswered(request: FastifyRequest): Promise<boolean>;
  /** Forgetting answers that are over, where there are such routes. Call it once they are added. */
  chores(): Chores;
}

/** Makes requests with an Idempotency-Key idempotent, on routes that declare it. */
export function createIdempotency<Client>(tenants: RequestTenants<Client>): Idempotency {
  let answers: KeptAnswers | undefined;

  return {
    serve(app) {
      app.addHook('onRoute', (route) => {
        const idempotent = route.config?.idempotent ?? false;
        if (!route.config || idempotent === false) return;
        if (!route.config.access?.includes(':')) {
          throw new Error(`${route.url} is idempotent and needs a permission: a key belongs to a member.`);
        }
        const kept = (answers ??= createKeptAnswers());
        route.schema = withKeyHeader(route.schema);
        route.config = { ...route.config, errors: [...(route.config.errors ?? []), keyReused(), keyInUse()] };
        route.handler = idempotentHandler(route.handler, {
          ...(idempotent === true ? {} : idempotent),
          tenants,
          once: (request) => answerOnce({ ...request, answers: kept, pause: sleep }),
        });
      });
    },
    async isAnswered(request) {
      const key = requestKeyOf(request);
      return key !== undefined && answers !== undefined && answers.isKept(tenants.of(request), key);
    },
    chores() {
      const kept = answers;
      if (!kept) return {};
      return {
        [forgettingKind]: {
          async work(_item, { tenant, signal }) {
            while (!signal.aborted && (await kept.forget(tenant)) > 0) continue;
            // An organization that has used a key once is looked at once a day from then on.
            return { againAfterSeconds: daySeconds };
          },
        },
      };
    },
  };
}
