import type { AccountActor, Actor } from '@tenantry/service/resources';
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

/** The context of a signed-in user, whose session must be alive when the action takes effect. */
export interface CallerContext<By extends AccountActor = AccountActor> extends Context<By> {
  /** Null where a peer of a former version, which has verified the token, does not tell. */
  readonly sessionId: string | null;
}

/** As {@link CallerContext}, in an organization. */
export interface MemberContext<By extends AccountActor = AccountActor> extends CallerContext<By> {
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
  readonly principal: Caller & { readonly session: { readonly id: string } };
  readonly client: Client;
}

/** The context of a request with a session. */
export const contextOf = ({ principal, client }: Asked): CallerContext<SignedIn> => ({
  actor: userActor(principal.user),
  client,
  sessionId: principal.session.id,
});

/** As {@link contextOf}, in the organization that the caller acts in. @throws as {@link actingIn} */
export const contextIn = (asked: Asked): MemberContext<SignedIn> => ({
  ...contextOf(asked),
  organizationId: actingIn(asked.principal).id,
});
