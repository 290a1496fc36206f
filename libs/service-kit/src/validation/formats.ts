import type { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { readEntityTags } from '../resources/entity-tags.ts';

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const email = new RegExp(`^${atom}(?:\\.${atom})*@(?:${label}\\.)+${label}$`);
/** RFC 5321, 4.5.3.1: a path of 256 octets includes two angle brackets; a local part has 64. */
const emailLengthMax = 254;
const emailLocalPartMax = 64;

/** Whether `text` is an e-mail address as RFC 5321 sends it (dot-string at domain), in linear time. */
export function isEmail(text: string): boolean {
  return text.length <= emailLengthMax && text.indexOf('@') <= emailLocalPartMax && email.test(text);
}

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

/** Teaches Ajv the formats that the schemas use; every expression behind them is linear. */
export function addStandardFormats(ajv: Ajv): void {
  addFormats.default(ajv, ['date', 'uri']);
  ajv.addFormat('date-time', { type: 'string', validate: isDateTime });
  ajv.addFormat('date-or-time', {
    type: 'string',
    validate: (text: string) => isDateTime(text) || isDateTime(`${text}T00:00:00Z`),
  });
  ajv.addFormat('uuid', uuid);
  ajv.addFormat('email', { type: 'string', validate: isEmail });
  ajv.addFormat('entity-tags', {
    type: 'string',
    validate: (text: string) => readEntityTags(text) !== undefined,
  });
}
