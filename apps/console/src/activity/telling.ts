import type { Language } from '../design/language.ts';
import type { Happening } from './activity.queries.ts';
import type { OrganizationActivityWords } from './activity.words.en.ts';

type Words = OrganizationActivityWords;
type Sentence = (who: string, what: string, more: string) => string;

/** Says in a sentence what somebody did. */
export function sentenceOf(happening: Happening, words: Words, language: Language): string {
  const sentences: Readonly<Record<string, Sentence | undefined>> = words.sentences;
  const say = sentences[happening.action] ?? words.other;
  return say(
    nameOfActor(happening, words),
    nameOfTarget(happening, words),
    moreOf(happening, words, language),
  );
}

/** Who did it, as they were called then. */
export function nameOfActor({ actor }: Happening, { actors }: Words): string {
  if (actor === null) return actors.unknown;
  if (actor.kind === 'job') return actors.job;
  if (actor.kind === 'customer') return actor.name ?? actors.customer;
  return actor.name ?? actors.gone;
}

function nameOfTarget({ target }: Happening, { things }: Words): string {
  if (target === null) return things.other;
  const known: Readonly<Record<string, string | undefined>> = things;
  return target.name ?? known[target.type] ?? things.other;
}

/** What a sentence ends with: how many, as what, or the fields that changed; empty where there is nothing more. */
function moreOf({ action, details }: Happening, { roles, fields }: Words, language: Language): string {
  const { imported, leads, to, role } = details;
  const count = imported ?? leads;
  if (typeof count === 'number') return String(count);
  const roleNames: Readonly<Record<string, string | undefined>> = roles;
  const named = roleNames[String(to ?? role)];
  if (named !== undefined) return named;
  const fieldNames: Readonly<Record<string, string | undefined>> = fields;
  const changed = changedFields(action, details).map((field) => fieldNames[field] ?? field);
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(changed);
}

/** An organization's settings are named by what they are now. */
function changedFields(action: string, { fields, ...details }: Happening['details']): readonly string[] {
  if (action === 'organization.updated') return Object.keys(details);
  return Array.isArray(fields) ? fields.map(String) : [];
}
