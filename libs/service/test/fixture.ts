import { ApiError } from '@tenantry/envelope';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { createService, type AccessChecks, type Service, type ServiceOptions } from '@tenantry/service/http';
import { createLogger } from '@tenantry/service/logging';
import { logMetrics, testLog } from '@tenantry/test-kit';

/** A service of one route a case, and what it logged. */
export async function buildFixture(
  options: Partial<ServiceOptions> = {},
  routes: (app: Service) => void = standardRoutes,
): Promise<{ app: Service; logs: () => string }> {
  const log = testLog();
  const app = await createService({
    name: 'fixture-service',
    version: '1.2.3',
    logger: createLogger({ name: 'fixture-service', level: 'trace', destination: log }),
    failures: 'envelope',
    access: everyoneIsAMember,
    ...options,
  });
  logMetrics(app);
  routes(app);
  await app.ready();
  return { app, logs: log.text };
}

/** A caller with a bearer token is signed in and holds `leads:read`. */
export const everyoneIsAMember: AccessChecks = {
  signedIn: async (request: FastifyRequest) => {
    if (!request.headers.authorization) throw new ApiError('UNAUTHENTICATED', 'Sign in.');
  },
  requires: (permission) => async (request: FastifyRequest) => {
    if (!request.headers.authorization) throw new ApiError('UNAUTHENTICATED', 'Sign in.');
    if (permission !== 'leads:read') throw new ApiError('FORBIDDEN', 'Not for your role.');
  },
  recheck: async () => undefined,
};

const closed = { additionalProperties: false } as const;
export const ThingBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 5 }),
    email: Type.Optional(Type.String({ format: 'email' })),
    count: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
    note: Type.Optional(Type.Union([Type.String({ maxLength: 3 }), Type.Null()])),
    kind: Type.Optional(Type.Enum(['a', 'b'])),
    tags: Type.Optional(Type.Array(Type.String())),
  },
  closed,
);
const ThingQuery = Type.Object(
  { page: Type.Integer({ minimum: 1, default: 1 }), search: Type.Optional(Type.String()) },
  closed,
);
const ThingParams = Type.Object({ id: Type.String({ format: 'uuid' }) }, closed);

function standardRoutes(app: Service): void {
  app.post(
    '/things',
    { config: { access: 'public' }, schema: { body: ThingBody } },
    async (request) => request.body,
  );
  app.get(
    '/things',
    { config: { access: 'public' }, schema: { querystring: ThingQuery } },
    async (request) => request.query,
  );
  app.get(
    '/things/:id',
    { config: { access: 'leads:read' }, schema: { params: ThingParams } },
    async (request) => request.params,
  );
  app.delete(
    '/things/:id',
    { config: { access: 'leads:write' }, schema: { params: ThingParams } },
    async () => ({}),
  );
  app.get('/defect', { config: { access: 'public' } }, async () => {
    throw new Error('connect to postgres://owner:hunter2@db failed');
  });
  app.get('/away', { config: { access: 'public' } }, async () => {
    throw Object.assign(new Error('x'), {
      cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
    });
  });
}
