import { memberOf } from '@tenantry/jwt-verify/fastify';
import type { AccountActor, Actor } from '@tenantry/service-kit/resources';
import type { FastifyRequest } from 'fastify';
import type { Tenant, TenantOf } from './tenants.ts';

/** In which organization something is done, by whom, and when. A use case that changes something takes it first. */
export interface Context<Client, By extends Actor = AccountActor> {
  readonly tenant: Tenant<Client>;
  readonly actor: By;
  readonly now: Date;
}

/** Gives the context of a request, on a route with a permission. */
export type ContextOf<Client> = (request: FastifyRequest) => Context<Client>;

/** Makes {@link ContextOf}. */
export function createContextOf<Client>(tenantOf: TenantOf<Client>, now: () => Date): ContextOf<Client> {
  return (request) => {
    const { userId, name } = memberOf(request);
    return { tenant: tenantOf(request), actor: { kind: 'user', userId, name }, now: now() };
  };
}
