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

/** What routes ask about a request. */
export interface Requests {
  /**
   * The rows of the caller's organization, on a route with a permission. It throws on a public route, where the caller is
   * unknown: there the organization comes from a token in a link, by `openLink`.
   */
  readonly tenantOf: TenantOf;
  /** Those rows, with the actor and the time: the first parameter of use cases that write. */
  readonly contextOf: (request: FastifyRequest) => Context;
  /**
   * Whether a request with an Idempotency-Key already has a response: work before its transaction, such as a call to another
   * service, can then be skipped.
   */
  readonly isAnswered: (request: FastifyRequest) => Promise<boolean>;
  readonly now: () => Date;
}

/** Makes `contextOf` of {@link Requests}. */
export function createContextOf(tenantOf: TenantOf, now: () => Date): Requests['contextOf'] {
  return (request) => {
    const { kind, userId, name } = memberOf(request);
    const actor = { kind: kind === 'service' ? 'service-account' : 'user', userId, name } as const;
    return { tenant: tenantOf(request), actor, now: now() };
  };
}
