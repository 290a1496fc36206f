import { nameOfActor, type Actor } from './actor.ts';
import { actorWords } from './actor.words.ts';
import { Avatar } from './avatar.tsx';
import { useWords } from './language.ts';

const programs: ReadonlySet<string | undefined> = new Set(['service-account', 'directory', 'job']);

/** The picture of an actor, next to the name: initials of a person, a sign for a program. */
export function ActorAvatar({ actor }: { readonly actor: Actor }) {
  const words = useWords(actorWords);
  return <Avatar name={nameOfActor(actor, words)} isProgram={programs.has(actor?.kind)} />;
}
