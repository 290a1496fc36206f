import { databaseRefusals } from '../failures/refusals.ts';
import type { Service } from '../http/service.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False for a route that changes something without storing more, such as an erasure: it is never refused for the quota. */
    stores?: false;
  }
}

/** Has every route that stores rows of an organization document the refusal for its quota. Call it before routes are added. */
export function declareQuota(app: Service): void {
  app.addHook('onRoute', (route) => {
    const { access, stores, errors = [] } = route.config ?? {};
    const isChange = [route.method].flat().some((method) => ['POST', 'PUT', 'PATCH'].includes(method));
    if (!isChange || stores === false || !access?.includes(':')) return;
    route.config = {
      ...route.config,
      errors: [...errors, databaseRefusals['over-quota'], databaseRefusals['over-small-quota']],
    };
  });
}
