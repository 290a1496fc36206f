import { memberOf } from '@tenantry/jwt-verify/fastify';
import type { FastifyRequest } from 'fastify';
import type { AccountActor, Actor } from '../resources/actors.ts';
import type { Tenant, TenantOf } from './tenants.ts';

/** The organization, the actor and the time of a change: the first parameter of every use case that writes. */
export interface Context<By extends Actor = AccountActor> {
  readonly tenant: Tenant;
  readonly actor: By;
  readonly now: Date;
}

/** The context of a request. */
export type ContextOf = (request: FastifyRequest) => Context;

/** Makes {@link ContextOf}. */
export function createContextOf(tenantOf: TenantOf, now: () => Date): ContextOf {
  return (request) => {
    const { kind, userId, name } = memberOf(request);
    const actor = { kind: kind === 'service' ? 'service-account' : 'user', userId, name } as const;
    return { tenant: tenantOf(request), actor, now: now() };
  };
}
