import type { PrismaNamespace } from '@tenantry/tenancy';
import type { FastifyRequest } from 'fastify';
import type { Service } from '../http/service.ts';
import type { RequestTenants } from '../tenants/tenants.ts';
import { daySeconds, type Chores } from '../work/housekeeping.ts';
import { keyInUse, keyReused } from './idempotency.errors.ts';
import { idempotentHandler, requestKeyOf, requireCommitted, withKeyHeader } from './idempotent-route.ts';
import { forgettingKind, StoredResponses } from './stored-responses.ts';

/** Whether a service has the table of sql/idempotency.sql, by the models of its client. */
export const storesResponses = ({ ModelName }: PrismaNamespace): boolean => 'IdempotencyKey' in ModelName;

/** Executes a request once, however often it is sent. */
export class Idempotency {
  readonly #tenants: RequestTenants;
  readonly #responses = new StoredResponses();

  constructor(tenants: RequestTenants) {
    this.#tenants = tenants;
  }

  /** Has routes that declare `idempotent` honour an Idempotency-Key. Call it before they are added. */
  serve(app: Service): void {
    app.addHook('onRoute', (route) => {
      const idempotent = route.config?.idempotent ?? false;
      if (!route.config || idempotent === false) return;
      if (!route.config.access?.includes(':')) {
        throw new Error(`${route.url} is idempotent and needs a permission: a key belongs to a member.`);
      }
      route.schema = withKeyHeader(route.schema);
      route.config = { ...route.config, errors: [...(route.config.errors ?? []), keyReused(), keyInUse()] };
      route.onSend = [requireCommitted, route.onSend ?? []].flat();
      route.handler = idempotentHandler(route.handler, {
        ...(idempotent === true ? {} : idempotent),
        tenants: this.#tenants,
        responses: this.#responses,
      });
    });
  }

  /**
   * Whether a response is stored under the request's key: then the request is not executed again, and nothing needs to be
   * prepared.
   */
  async isAnswered(request: FastifyRequest): Promise<boolean> {
    const { idempotent = false } = request.routeOptions.config;
    const key = idempotent === false ? undefined : requestKeyOf(request);
    return key !== undefined && this.#responses.isStored(this.#tenants.of(request), key);
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
