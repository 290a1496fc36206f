import type { PrismaNamespace } from '@tenantry/tenancy';
import type { Service } from '../http/service.ts';
import type { ContextOf } from '../tenants/context.ts';
import { daySeconds, type Chores } from '../work/housekeeping.ts';
import { keyInUse, keyReused } from './idempotency.errors.ts';
import { createOnce, requireCommitted, withKeyHeader, type Once } from './idempotent-route.ts';
import { forgettingKind, StoredResponses } from './stored-responses.ts';

/** Whether a service has the table of sql/idempotency.sql, by the models of its client. */
export const storesResponses = ({ ModelName }: PrismaNamespace): boolean => 'IdempotencyKey' in ModelName;

/** Executes requests once, however often they are sent. */
export class Idempotency {
  readonly once: Once;
  readonly #responses = new StoredResponses();

  constructor(contextOf: ContextOf) {
    this.once = createOnce(contextOf, this.#responses);
  }

  /** Has routes that declare `idempotent` honour an Idempotency-Key. Call it before they are added. */
  serve(app: Service): void {
    app.addHook('onRoute', (route) => {
      if (route.config?.idempotent !== true) return;
      if (!route.config.access?.includes(':')) {
        throw new Error(`${route.url} is idempotent and needs a permission: a key belongs to a member.`);
      }
      route.schema = withKeyHeader(route.schema);
      route.config = { ...route.config, errors: [...(route.config.errors ?? []), keyReused(), keyInUse()] };
      route.onSend = [requireCommitted, route.onSend ?? []].flat();
    });
  }

  /** Deletes expired responses. */
  chores(): Chores {
    return {
      [forgettingKind]: {
        work: async (_item, { tenant, signal }) => {
          while (!signal.aborted && (await this.#responses.forget(tenant)) > 0) continue;
          // An organization that has used a key is checked once a day from then on.
          return { againAfterSeconds: daySeconds };
        },
      },
    };
  }
}
