import { nameOfActor } from '../design/actor.ts';
import type { ActorWords } from '../design/actor.words.en.ts';
import type { Formats, Language } from '../design/language.ts';
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

/** The end of a sentence: a count, the number of a quote, a role, or the changed fields of which there are no values; may be empty. */
function moreOf(happening: Happening, { roles, fields }: Words, language: Language): string {
  const { imported, leads, customers, quoteNumber, to, role, fields: changed } = happening.details;
  const count = imported ?? leads ?? customers;
  if (typeof count === 'number') return String(count);
  if (typeof quoteNumber === 'string') return quoteNumber;
  const roleNames: Readonly<Record<string, string | undefined>> = roles;
  const named = roleNames[String(to ?? role)];
  if (named !== undefined) return named;
  const fieldNames: Readonly<Record<string, string | undefined>> = fields;
  const values = valuesOf(happening);
  const changedNames = Array.isArray(changed)
    ? changed
        .map(String)
        .filter((field) => !Object.hasOwn(values, field))
        .map((field) => fieldNames[field] ?? field)
    : [];
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(changedNames);
}

/** In which words a change is told, and how its values are written. */
interface Told extends Said {
  readonly formats: Formats;
}

/** What became of each field whose values are known: `Status: New → Contacted`. */
export function changesOf(happening: Happening, { words, language, formats }: Told): readonly string[] {
  const { fields, values } = words;
  const labels: Readonly<Record<string, string | undefined>> = { ...fields, role: values.role };
  return Object.entries(valuesOf(happening)).map(([field, { from, to }]) => {
    const label = labels[field] ?? field;
    const capital = label.charAt(0).toLocaleUpperCase(language) + label.slice(1);
    const written = (value: unknown) => isolated(writtenValue(field, value, { words, formats }));
    return `${capital}: ${written(from)} → ${written(to)}`;
  });
}

interface Change {
  readonly from: unknown;
  readonly to: unknown;
}

/** Entries of earlier versions, and of a role, have one change beside its field. */
function valuesOf({ action, details }: Happening): Readonly<Record<string, Change>> {
  const { values, fields, from, to } = details;
  if (typeof values === 'object' && values !== null) return values as Readonly<Record<string, Change>>;
  if (typeof from !== 'string' || typeof to !== 'string') return {};
  if (action.endsWith('.role-changed')) return { role: { from, to } };
  return Array.isArray(fields) && fields.includes('status') ? { status: { from, to } } : {};
}

function writtenValue(
  field: string,
  value: unknown,
  { words, formats }: Pick<Told, 'words' | 'formats'>,
): string {
  const { none, on, off, percent, statuses, roles } = words.values;
  if (value === null || value === undefined) return none;
  if (typeof value === 'boolean') return value ? on : off;
  if (typeof value === 'number') {
    return field === 'vatRate' ? percent(formats.number(value)) : formats.number(value);
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (field === 'validUntil') return formats.moment(text);
  const named: Readonly<Record<string, string | undefined>> =
    field === 'status' ? statuses : field === 'role' ? roles : {};
  return named[text] ?? text;
}
