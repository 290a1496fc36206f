import { memberOf } from '@tenantry/jwt-verify/fastify';
import type { FastifyRequest } from 'fastify';
import type { Tenant, TenantOf } from './tenants.ts';

/**
 * Who does something. A user and a service account are named by the `sub` of their token; an operator acts for a user, whose
 * id it is then. A job is work of a service itself, and a customer is whoever opens a link.
 */
export type Actor =
  | {
      readonly kind: 'user' | 'service-account' | 'operator';
      readonly userId: string;
      /** As it is called at the time; display text, possibly hostile. */
      readonly name: string;
    }
  | {
      readonly kind: 'job' | 'customer';
      /** The kind of the work, as `deleted-leads`; null of a customer, whose name stands beside what they did alone. */
      readonly name: string | null;
    };

/** Each kind of {@link Actor}. */
export const actorKinds = ['user', 'service-account', 'operator', 'job', 'customer'] as const;

/** The actor's user id: whose token it is, or for whom an operator acts. */
export const userIdOf = (actor: Actor): string | null => ('userId' in actor ? actor.userId : null);

/** In which organization something is done, by whom, and when. A use case that changes something takes it first. */
export interface Context<Client, By extends Actor = Actor> {
  readonly tenant: Tenant<Client>;
  readonly actor: By;
  readonly now: Date;
}

/** The actor of a request with a token. */
export type SignedIn = Extract<Actor, { readonly userId: string }>;

/** Gives the context of a request, on a route with a permission. */
export type ContextOf<Client> = (request: FastifyRequest) => Context<Client, SignedIn>;

/** Makes {@link ContextOf}. */
export function createContextOf<Client>(tenantOf: TenantOf<Client>, now: () => Date): ContextOf<Client> {
  return (request) => {
    const { userId, name } = memberOf(request);
    return { tenant: tenantOf(request), actor: { kind: 'user', userId, name }, now: now() };
  };
}
