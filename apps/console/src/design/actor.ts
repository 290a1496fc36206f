import type { ActorWords } from './actor.words.en.ts';

/** Who does something; null where that is not known. */
export type Actor = {
  readonly kind: 'user' | 'service-account' | 'directory' | 'operator' | 'job' | 'customer';
  readonly name: string | null;
} | null;

/** The name of an actor at the time. What is no person is called what it is. */
export function nameOfActor(actor: Actor, words: ActorWords): string {
  if (actor === null) return words.unknown;
  if (actor.kind === 'job') return words.job;
  if (actor.kind === 'operator' || actor.kind === 'customer') return actor.name ?? words[actor.kind];
  if (actor.kind === 'directory') return words.directory(actor.name);
  if (actor.kind === 'service-account') return words.serviceAccount(actor.name);
  return actor.name ?? words.gone;
}
