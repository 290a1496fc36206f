import { EmailAddress, LineOf, LinesOf, Nullable, Text } from '@tenantry/service/resources';
import { Type, type Static, type TObject, type TString, type TStringOptions } from 'typebox';

type TextOf = (options: TStringOptions) => TString;

const lineOf =
  (maxLength: number): TextOf =>
  (options) =>
    LineOf(maxLength, options);
const linesOf =
  (maxLength: number): TextOf =>
  (options) =>
    LinesOf(maxLength, options);

/** A text by its name: how a body gives it, and how a response shows it. */
const required = <const Name extends string>(name: Name, of: TextOf, example: string) => ({
  name,
  given: of({ examples: [example] }),
  shown: Text(example),
});
const optional = <const Name extends string>(name: Name, of: TextOf, example: string) => ({
  name,
  given: Type.Optional(Nullable(of({ examples: [example] }))),
  shown: Nullable(Text(example)),
});

/**
 * The texts that a lead is made of. Bodies, responses, statements, files and the audit trail have those of this table in this
 * order; each is a column of the same name.
 */
const texts = [
  required('name', lineOf(100), 'Charles Babbage'),
  required('email', EmailAddress, 'charles@example.com'),
  optional('phone', lineOf(20), '+46 70 123 45 67'),
  optional('source', lineOf(50), 'fair'),
  optional('notes', linesOf(2000), 'Met at the fair; wants a quote in March.'),
] as const;

type Texts = typeof texts;
/** The name of a text. */
export type LeadText = Texts[number]['name'];

type Part = 'given' | 'shown';
type PartOf<Which extends Part> = { [Each in Texts[number] as Each['name']]: Each[Which] };

const partOf = <Which extends Part>(which: Which) =>
  Object.fromEntries(texts.map((text) => [text.name, text[which]])) as unknown as PartOf<Which>;

/** The fields of a body. */
export const givenTexts = partOf('given');
/** The fields of a response. */
export const shownTexts = partOf('shown');

export type GivenTexts = Readonly<Static<TObject<typeof givenTexts>>>;
export type ShownTexts = Readonly<Static<TObject<typeof shownTexts>>>;

type PerText<Of extends readonly { readonly name: LeadText }[], Values extends Record<LeadText, unknown>> = {
  readonly [At in keyof Of]: Values[Of[At]['name']];
};

/** One value for each text, in the order of the table: `map` alone forgets how many there are, and which is which. */
const perText = <Values extends Record<LeadText, unknown>>(valueOf: (name: LeadText) => Values[LeadText]) =>
  texts.map(({ name }) => valueOf(name)) as unknown as PerText<Texts, Values>;

export const leadTexts = perText<{ [Name in LeadText]: Name }>((name) => name);
/** How many characters a text may have. */
export const textLengths = Object.fromEntries(
  texts.map(({ name, given }) => [name, (given as { readonly maxLength?: number }).maxLength ?? Infinity]),
) as Readonly<Record<LeadText, number>>;
/** The texts that every lead has. */
export const requiredTexts = texts.flatMap(({ name, given }) => (Type.IsOptional(given) ? [] : [name]));

/** The texts of a lead, as statements take them. */
export const textValues = (lead: GivenTexts) => perText<ShownTexts>((name) => lead[name] ?? null);

/** The texts of several leads, a list for each. */
export const textLists = (leads: readonly GivenTexts[]) =>
  perText<{ [Name in LeadText]: readonly ShownTexts[Name][] }>((name) =>
    leads.map((lead) => lead[name] ?? null),
  );
