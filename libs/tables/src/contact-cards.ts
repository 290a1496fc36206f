import ICAL from 'ical.js';
import { addressLines } from './addresses.ts';
import type { TableRow } from './delimited.ts';
import { notATable } from './tables.errors.ts';

/** How many addresses and numbers of a card have a column; further ones are in the notes. */
const eachMax = 3;
const numbered = (name: string) => Array.from({ length: eachMax }, (_, n) => `${name} ${n + 1}`);

/** The columns that contact cards are made into, as English programs name them. */
export const cardColumns = [
  ...['Name', 'First Name', 'Middle Name', 'Last Name', 'Organization', 'Job Title'],
  ...[...numbered('E-mail'), ...numbered('Phone')],
  ...['Address', 'Website', 'Birthday', 'Notes'],
] as const;

/** Pictures, sounds and keys, which are most of a card. */
const leftOut = /^(?:[\w-]+\.)?(?:photo|logo|sound|key|x-abphoto)[;:]/i;
const cardLengthMax = 64 * 1024;

type Property = readonly [name: string, parameters: object, type: string, ...values: unknown[]];

/**
 * Reads contact cards (vCard 2.1 to 4.0, by ical.js) as rows of {@link cardColumns}.
 *
 * @throws VALIDATION_ERROR for a card that cannot be read, with its line
 */
export async function* cardRows(text: AsyncIterable<string>): AsyncGenerator<TableRow> {
  let [line, begin, length] = [0, 0, 0];
  let card: string[] | undefined;
  let isLeftOut = false;
  for await (const content of linesOf(text)) {
    line += 1;
    if (/^BEGIN:VCARD\s*$/i.test(content)) [card, begin, length, isLeftOut] = [[], line, 0, false];
    if (!card) continue;
    if (!/^[ \t]/.test(content)) isLeftOut = leftOut.test(content);
    if (isLeftOut) continue;
    card.push(content);
    length += content.length;
    if (length > cardLengthMax) throw notATable('cards', begin);
    if (!/^END:VCARD\s*$/i.test(content)) continue;
    const cells = cellsOf(propertiesOf(card, begin));
    card = undefined;
    if (cells.some((cell) => cell !== '')) yield { cells, line: begin };
  }
  if (card) throw notATable('cards', begin);
}

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + piece).split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > 1024 * 1024) throw notATable('cards');
  }
  if (rest !== '') yield rest;
}

function propertiesOf(card: readonly string[], line: number): readonly Property[] {
  const isOld = card.some((content) => /^VERSION:2\.1/i.test(content));
  try {
    const [, properties] = ICAL.parse((isOld ? modern(card) : card).join('\r\n')) as [string, Property[]];
    return properties;
  } catch {
    throw notATable('cards', line);
  }
}

/** A card of version 2.1 as later ones are written: its bare parameters are types, and its letters are not in hexadecimal. */
function modern(card: readonly string[]): string[] {
  const whole: string[] = [];
  for (const content of card) {
    const last = whole.at(-1);
    if (last !== undefined && /QUOTED-PRINTABLE/i.test(last) && last.endsWith('=')) {
      whole[whole.length - 1] = last.slice(0, -1) + content;
    } else whole.push(content);
  }
  return whole.map((content) => {
    const colon = content.indexOf(':');
    const [name = '', ...parameters] = content.slice(0, colon).split(';');
    const value = content.slice(colon + 1);
    const isQuoted = parameters.some((each) => /^(?:encoding=)?quoted-printable$/i.test(each));
    const charset = parameters.find((each) => /^charset=/i.test(each))?.slice(8) ?? 'utf-8';
    const types = parameters.filter((each) => !each.includes('=') && !/^quoted-printable$/i.test(each));
    const typed = types.map((type) => `;TYPE=${type}`).join('');
    return `${name}${typed}:${isQuoted ? decoded(value, charset) : value}`;
  });
}

function decoded(text: string, charset: string): string {
  const letters = text.replaceAll(/=([\da-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const value = new TextDecoder(charset).decode(Buffer.from(letters, 'latin1'));
  return value.replaceAll(/\r?\n/g, '\\n');
}

const plain = (value: unknown): string =>
  Array.isArray(value)
    ? value
        .map(plain)
        .filter((part) => part !== '')
        .join(' ')
    : typeof value === 'string'
      ? value.trim()
      : '';

/** The parts of an address in the order of RFC 6350, 6.3.1, as on an envelope. */
function envelopeOf(value: unknown): string {
  const [box, extended, street, city, region, postcode, country] = (
    Array.isArray(value) ? value : [value]
  ) as unknown[];
  const parts = { box, street, extended, postcode, city, region, country };
  return addressLines(Object.entries(parts).map(([kind, text]) => ({ kind, text: plain(text) })));
}

const isFilled = (text: string): boolean => text !== '';

function cellsOf(properties: readonly Property[]): string[] {
  const all = (name: string): string[] =>
    properties.filter(([each]) => each === name).map(([, , , ...values]) => plain(values));
  const first = (name: string): string => all(name).find((value) => value !== '') ?? '';
  const [family, given, middle] = (properties.find(([name]) => name === 'n')?.[3] ?? []) as unknown[];
  const [emails, phones] = [all('email'), all('tel').map((phone) => phone.replace(/^tel:/, ''))];
  const addresses = properties.filter(([name]) => name === 'adr').map(([, , , value]) => envelopeOf(value));
  const more = [...emails.slice(eachMax), ...phones.slice(eachMax)];
  const each = (values: readonly string[]) => Array.from({ length: eachMax }, (_, n) => values[n] ?? '');
  return [
    ...[first('fn'), plain(given), plain(middle), plain(family), first('org'), first('title')],
    ...[...each(emails), ...each(phones)],
    ...[addresses.find(isFilled) ?? '', first('url'), first('bday'), [...all('note'), ...more].join('\n')],
  ];
}
