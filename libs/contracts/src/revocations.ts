import { Type } from 'typebox';
import { FeedPageOf } from './feeds.ts';
import { anyOf, Id, type Wire } from './fields.ts';

/** Path of auth-service's revocation feed, by long poll. */
export const revocationsPath = '/internal/revocations';

/** The header in which a verifier names the kinds that it knows beyond those of the first version. */
export const revocationKindsHeader = 'revocation-kinds';

const Seconds = (description: string) =>
  Type.Integer({ description: `${description}, in seconds since the epoch` });
const until = Seconds('when no token is left that it concerns');
const issuedBefore = Seconds('tokens that were issued before are no longer valid');

const SessionRevocation = Type.Object({ kind: Type.Literal('session'), sid: Id, until });
const UserRevocation = Type.Object({ kind: Type.Literal('user'), sub: Id, issuedBefore, until });
const MemberRevocation = Type.Object({
  kind: Type.Literal('member'),
  sub: Id,
  organizationId: Id,
  issuedBefore,
  until,
});
const OrganizationRevocation = Type.Object({
  kind: Type.Literal('organization'),
  organizationId: Id,
  issuedBefore,
  until,
});

const kinds = [SessionRevocation, UserRevocation, MemberRevocation, OrganizationRevocation] as const;

/**
 * What is no longer valid: the tokens of a session, of a user, of a member, or of an organization.
 *
 * `@tenantry/jwt-verify` reads it for everyone, and is published without this library. A test of auth-service compares its
 * type, and how it applies each kind, with this one.
 */
export const Revocation = Type.Union([...kinds]);
export type Revocation = Wire<typeof Revocation>;

/** A page as auth-service writes it. */
export const RevocationPageAnswer = Type.Object({
  ...FeedPageOf(anyOf(...kinds, Type.Object({ kind: Type.String() }))).properties,
  nowMs: Type.Integer({ description: 'the time by the clock that tokens are issued by' }),
});
