import { Type } from 'typebox';
import { Id, nullable, Timestamp, type Wire } from './fields.ts';

/** Where auth-service makes, renames (PATCH) and removes (DELETE) the accounts of an organization's people. */
export const accountsPath = '/internal/users';
export const accountPath = (id: string) => `${accountsPath}/${id}`;

const closed = { additionalProperties: false } as const;
/** Who asks, and in which organization, as the service that calls has read it from a verified token. */
const asking = { organizationId: Id, actorUserId: Id };

// Room for a first and a last name of 50 characters each, with a blank between them.
const name = {
  name: Type.String({ minLength: 1, maxLength: 101, text: 'line' }),
  /** The end of `name` that is the family name, where it is known. */
  familyName: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 50, text: 'line' }))),
};

/**
 * From where the user asks whose request is carried out: auth-service limits by it, and records it. Services of earlier
 * versions do not say.
 */
export const CallerHeaders = Type.Object({
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

/** Another name for an account, if it still has the one that is expected. */
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

/** Who removes an account, as a query. */
export const Removal = Type.Object(asking, closed);

/** The account as it is now: the answer to creating and renaming one. */
export const AccountAnswer = Type.Object(
  {
    user: Type.Object({ id: Id, email: Type.String(), name: Type.String(), createdAt: Timestamp }, closed),
  },
  closed,
);

export type NewAccount = Wire<typeof NewAccount>;
export type Renaming = Wire<typeof Renaming>;
export type Removal = Wire<typeof Removal>;
