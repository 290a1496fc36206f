import { Type } from 'typebox';
import { Id, nullable, Timestamp, type Wire } from './fields.ts';

/** Path at which auth-service creates (POST), renames (PATCH) and removes (DELETE) the accounts of an organization's people. */
export const accountsPath = '/internal/users';
export const accountPath = (id: string) => `${accountsPath}/${id}`;

const closed = { additionalProperties: false } as const;
/** The acting user and organization, as the calling service has read them from a verified token. */
const asking = { organizationId: Id, actorUserId: Id };

// Room for a first and a last name of 50 characters each, with a blank between them.
const name = {
  name: Type.String({ minLength: 1, maxLength: 101, text: 'line' }),
  /** The end of `name` that is the family name, where it is known. */
  familyName: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 50, text: 'line' }))),
};

/**
 * The acting user's client address, by which auth-service limits, and session, which must be alive when the change takes effect.
 * Absent from earlier versions.
 */
export const CallerHeaders = Type.Object({
  'x-session-id': Type.Optional(Id),
  'x-client-address': Type.Optional(Type.String({ maxLength: 64 })),
});

/** An account that an organization creates for a person. Goes with an `Idempotency-Key`. */
export const NewAccount = Type.Object(
  {
    ...asking,
    ...name,
    email: Type.String({ format: 'email', text: 'lowercase' }),
    password: Type.String({ minLength: 1 }),
  },
  closed,
);

/** A new name for an account, if it still has the expected one. */
export const Renaming = Type.Object(
  {
    ...asking,
    ...name,
    expected: Type.Optional(
      Type.Object({ name: Type.String(), familyName: nullable(Type.String()) }, closed),
    ),
  },
  closed,
);

/** The user who removes an account, as a query. */
export const Removal = Type.Object(asking, closed);

/** The current account: the response to creating and renaming one. */
export const AccountAnswer = Type.Object(
  {
    user: Type.Object({ id: Id, email: Type.String(), name: Type.String(), createdAt: Timestamp }, closed),
  },
  closed,
);

export type NewAccount = Wire<typeof NewAccount>;
export type Renaming = Wire<typeof Renaming>;
export type Removal = Wire<typeof Removal>;
