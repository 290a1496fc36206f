import { ApiError } from '@tenantry/envelope';
import { memberOf } from '@tenantry/jwt-verify/fastify';
import type { FastifySchema, onRequestHookHandler } from 'fastify';
import { Type, type TProperties } from 'typebox';
import type { Service } from '../http/service.ts';

const header = 'expected-organization';
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const ExpectedOrganization = Type.Optional(
  Type.String({
    format: 'uuid',
    description:
      'the organization that the request means: refused with ORGANIZATION_CHANGED where the token is for another, as after ' +
      'a switch in another tab',
    examples: ['01890a5d-ac96-774b-bcce-b302099a8057'],
  }),
);

/** The token is for another organization than the request expects. */
export const organizationChanged = () =>
  new ApiError(
    'ORGANIZATION_CHANGED',
    'Another organization is active now. Reload, or switch back, and try again.',
    {
      statusCode: 409,
    },
  );

/**
 * Has every route of members refuse a request whose Expected-Organization differs from its token, before the request is read.
 * The header is compared and never trusted: rows are those of the token. Call it before routes are added.
 */
export function expectOrganization(app: Service): void {
  app.addHook('onRoute', (route) => {
    if (!route.config?.access?.includes(':')) return;
    route.schema = withHeader(route.schema);
    route.config = { ...route.config, errors: [...(route.config.errors ?? []), organizationChanged()] };
    route.onRequest = [...[route.onRequest ?? []].flat(), refuseOthers];
  });
}

/** Runs after the access check, which identifies the member. A value that is not an id is left to the schema. */
const refuseOthers: onRequestHookHandler = (request, _reply, done) => {
  const expected = request.headers[header];
  const isOther =
    typeof expected === 'string' &&
    uuid.test(expected) &&
    expected.toLowerCase() !== memberOf(request).organizationId;
  done(isOther ? organizationChanged() : undefined);
};

function withHeader(schema: FastifySchema = {}): FastifySchema {
  const { properties = {} } = (schema.headers ?? {}) as { readonly properties?: TProperties };
  return { ...schema, headers: Type.Object({ ...properties, [header]: ExpectedOrganization }) };
}
