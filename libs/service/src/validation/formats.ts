import { readEmail } from '@tenantry/text';
import { _, type Ajv } from 'ajv';
import { readEntityTags } from '../resources/entity-tags.ts';
import { replaceText } from './replace-text.ts';

/** The plain form alone: the library's own also takes urn:uuid:…, which PostgreSQL does not. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** RFC 3339, as far as JavaScript and PostgreSQL read it alike: no leap seconds, no year 0. */
const dateTime = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const day = /^\d{4}-\d\d-\d\d/;

/** Whether `text` is a moment of the calendar: February ends on its last day. */
function isDateTime(text: string): boolean {
  if (!dateTime.test(text) || Number.isNaN(Date.parse(text))) return false;
  const named = day.exec(text)?.[0] ?? '';
  return new Date(`${named}T00:00:00Z`).toISOString().startsWith(named);
}

/** Reads a text in the one form in which it is stored and compared; undefined if it does not have the format. */
type Read = (text: string) => string | undefined;

const when =
  (isValid: (text: string) => boolean): Read =>
  (text) =>
    isValid(text) ? text : undefined;

/** The formats of schemas; every expression behind them is linear. A UUID may be written in either case (RFC 9562, 4). */
const formats: Readonly<Record<string, Read>> = {
  uuid: (text) => (uuid.test(text) ? text.toLowerCase() : undefined),
  email: readEmail,
  'date-time': when(isDateTime),
  'date-or-time': when((text) => isDateTime(text) || isDateTime(`${text}T00:00:00Z`)),
  date: when((text) => isDateTime(`${text}T00:00:00Z`)),
  uri: when((text) => URL.canParse(text)),
  'entity-tags': when((text) => readEntityTags(text) !== undefined),
};

/**
 * Replaces Ajv's keyword `format` by one that also writes a text in its one form, in place: an id in capitals is the same id in
 * paths, bodies, queries and headers, before anything compares it.
 */
export function addFormatKeyword(ajv: Ajv): void {
  ajv.removeKeyword('format');
  ajv.addKeyword({
    keyword: 'format',
    type: 'string',
    schemaType: 'string',
    modifying: true,
    errors: false,
    error: { message: 'another format', params: ({ schemaCode }) => _`{format: ${schemaCode}}` },
    compile: (name: string, _parent, { opts }) => {
      // Ajv's own meta-schemas have formats that do not matter here.
      if (!opts.validateFormats) return () => true;
      const read = formats[name];
      if (!read) throw new Error(`the format ${name} is unknown`);
      return (text: string, place) => {
        const formed = read(text);
        if (formed !== undefined && formed !== text) replaceText(place, formed);
        return formed !== undefined;
      };
    },
  });
}
