import { nameOfActor } from '../design/actor.ts';
import type { ActorWords } from '../design/actor.words.en.ts';
import type { Language } from '../design/language.ts';
import type { Happening } from './activity.queries.ts';
import type { OrganizationActivityWords } from './activity.words.en.ts';

type Words = OrganizationActivityWords;

/** In which words it is said. */
interface Said {
  readonly words: Words;
  readonly actors: ActorWords;
  readonly language: Language;
}

type Sentence = (who: string, what: string, more: string) => string;

/** Describes an entry in a sentence. */
export function sentenceOf(happening: Happening, { words, actors, language }: Said): string {
  const sentences: Readonly<Record<string, Sentence | undefined>> = words.sentences;
  const say = sentences[happening.action] ?? words.other;
  return say(
    isolated(nameOfActor(happening.actor, actors)),
    isolated(nameOfTarget(happening, words)),
    moreOf(happening, words, language),
  );
}

const fromRightToLeft =
  /[\p{Bidi_Control}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Isolates a name, so that right-to-left text or direction marks in it do not affect the sentence (UAX 9). */
const isolated = (name: string): string => (fromRightToLeft.test(name) ? `\u2068${name}\u2069` : name);

function nameOfTarget({ target }: Happening, { things }: Words): string {
  if (target === null) return things.other;
  const known: Readonly<Record<string, string | undefined>> = things;
  return target.name ?? known[target.type] ?? things.other;
}

/** The end of a sentence: a count, a role, or the changed fields; may be empty. */
function moreOf({ details }: Happening, { roles, fields }: Words, language: Language): string {
  const { imported, leads, customers, to, role, fields: changed } = details;
  const count = imported ?? leads ?? customers;
  if (typeof count === 'number') return String(count);
  const roleNames: Readonly<Record<string, string | undefined>> = roles;
  const named = roleNames[String(to ?? role)];
  if (named !== undefined) return named;
  const fieldNames: Readonly<Record<string, string | undefined>> = fields;
  const changedNames = Array.isArray(changed)
    ? changed.map((field) => fieldNames[String(field)] ?? String(field))
    : [];
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(changedNames);
}
