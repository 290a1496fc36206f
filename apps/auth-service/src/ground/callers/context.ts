import type { AccountActor, Actor } from '@tenantry/service-kit/resources';
import { actingIn, type Caller, type User } from './caller.ts';
import type { Client } from './client.ts';

/** By whom something is done, and from where. A use case that a trail records takes it first. */
export interface Context<By extends Actor | null = AccountActor> {
  /** Null where no account acts, as when an invitation is declined by its link. */
  readonly actor: By;
  /** Null where no client asked for it: of a job, and of the operator. */
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

/** What the operator asks for, who has no account. */
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
