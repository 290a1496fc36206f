import { Type } from 'typebox';
import { ClosedObject, Nullable, Uuid } from './fields.ts';

/** Each kind of {@link Actor}. */
const actorKinds = ['user', 'service-account', 'directory', 'operator', 'job', 'customer'] as const;

/**
 * Who does something. A user or service account is identified by the `sub` of its token. A directory provisions the people of an
 * organization, an operator runs the installation, a job is work of a service itself, and a customer is the person who opens a link.
 */
export type Actor =
  | {
      readonly kind: 'user' | 'service-account';
      readonly userId: string;
      /** Its name at the time; display text, possibly hostile. Null if the acting service does not know it. */
      readonly name: string | null;
    }
  | {
      readonly kind: 'directory' | 'operator' | 'job' | 'customer';
      /** What a directory is called there; the kind of the work of a job, as `deleted-leads`; null of a customer, whose name stands beside what they did alone. */
      readonly name: string | null;
    };

/** An actor with an account. */
export type AccountActor = Extract<Actor, { readonly userId: string }>;

/** The actor's user id, where there is an account. */
export const userIdOf = (actor: Actor): string | null => ('userId' in actor ? actor.userId : null);

/** The actor, in a response. */
export const ActorSchema = ClosedObject(
  {
    kind: Type.Enum([...actorKinds], {
      description:
        'a directory provisions the people of the organization, an operator runs the installation, a job is work of a service ' +
        'itself, a customer opened a link',
    }),
    userId: Nullable(Uuid()),
    name: Nullable(
      Type.String({
        description: 'display text, as it was then; null of an account that was erased',
        examples: ['Ada Lovelace'],
      }),
    ),
  },
  { title: 'Actor' },
);

/** An actor as stored in an audit entry. */
export interface RecordedActor {
  /** Null in entries of earlier versions. */
  readonly actorKind: Actor['kind'] | null;
  readonly actorUserId: string | null;
  readonly actorName: string | null;
}

/** The {@link ActorSchema} of an entry. Entries of earlier versions name no kind: their actor is a user, or unknown. */
export function actorAnswer({ actorKind, actorUserId: userId, actorName: name }: RecordedActor) {
  if (actorKind === null && userId === null) return null;
  return { kind: actorKind ?? 'user', userId, name };
}
