import { memberOf } from '@tenantry/jwt-verify/fastify';
import type { AccountActor, Actor } from '@tenantry/service-kit/resources';
import type { FastifyRequest } from 'fastify';
import type { Tenant, TenantOf } from './tenants.ts';

/** The organization, the actor and the time of a change: the first parameter of every use case that writes. */
export interface Context<Client, By extends Actor = AccountActor> {
  readonly tenant: Tenant<Client>;
  readonly actor: By;
  readonly now: Date;
}

/** Returns the context of a request, on a route with a permission. */
export type ContextOf<Client> = (request: FastifyRequest) => Context<Client>;

/** Makes {@link ContextOf}. */
export function createContextOf<Client>(tenantOf: TenantOf<Client>, now: () => Date): ContextOf<Client> {
  return (request) => {
    const { userId, name } = memberOf(request);
    return { tenant: tenantOf(request), actor: { kind: 'user', userId, name }, now: now() };
  };
}
