import type { AccountActor, Actor } from '@tenantry/service-kit/resources';
import { actingIn, type Caller, type User } from './caller.ts';
import type { Client } from './client.ts';

/** The actor and client of an action: the first parameter of use cases that are recorded in a trail. */
export interface Context<By extends Actor | null = AccountActor> {
  /** Null if the actor has no account, for example when an invitation is declined by its link. */
  readonly actor: By;
  /** Null for jobs and the operator. */
  readonly client: Client | null;
}

/** As {@link Context}, in an organization. */
export interface OrganizationContext<By extends Actor | null = AccountActor> extends Context<By> {
  readonly organizationId: string;
}

/** A user as an actor. */
export const userActor = ({ id: userId, name }: Pick<User, 'id' | 'name'>) =>
  ({ kind: 'user', userId, name }) as const satisfies Actor;

/** The actor of a request with a session. */
export type SignedIn = ReturnType<typeof userActor>;

/** The context of the operator, who has no account. */
export const byOperator: Context<Actor> = { actor: { kind: 'operator', name: null }, client: null };

interface Asked {
  readonly principal: Caller;
  readonly client: Client;
}

/** The context of a request with a session. */
export const contextOf = ({ principal, client }: Asked): Context<SignedIn> => ({
  actor: userActor(principal.user),
  client,
});

/** As {@link contextOf}, in the organization that the caller acts in. @throws as {@link actingIn} */
export const contextIn = (asked: Asked): OrganizationContext<SignedIn> => ({
  ...contextOf(asked),
  organizationId: actingIn(asked.principal).id,
});
