import fc from 'fast-check';
import type { Schema } from './operations.ts';

/** Text that has broken some program before: none of it may break a service. */
export const hostileText = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '\u202egnp.exe',
    '\u200b',
    '😀👩‍👩‍👧',
    'İıſK',
    "'; DROP TABLE users; --",
    '${jndi:ldap://x}',
    '%_\\',
    '../../etc/passwd',
    '__proto__',
    'constructor',
    'NaN',
    '-0',
    '1e400',
    '9'.repeat(400),
    '0x10',
    '00000000-0000-0000-0000-000000000000',
    'urn:uuid:00000000-0000-4000-8000-000000000000',
    'a@b@c.example',
    `${'a'.repeat(70)}@example.com`,
    '2026-02-30T25:61:61Z',
    '0000-01-01T00:00:00Z',
    'x'.repeat(3_000),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);

/** Any JSON. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    Number.MAX_SAFE_INTEGER,
    [],
    {},
    [[]],
    ['a', 'a'],
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Mostly what the schema requires, so that something is left to break behind the validation. */
function valueFor(schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: fittingValue(schema), weight: 3 }, { arbitrary: anyValue, weight: 1 });
}

/** What the schema requires, as far as it is known; its contents may be anything. */
export function fittingValue({
  type,
  format,
  enum: values,
  properties,
  items,
  maxLength = 60,
}: Schema): fc.Arbitrary<unknown> {
  if (values) return fc.constantFrom(...values);
  if (properties) return recordOf(properties);
  if (items) return fc.array(valueFor(items), { maxLength: 3 });
  if (format === 'uuid') return fc.uuid();
  if (format === 'email') return fc.emailAddress();
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  switch ([type].flat()[0]) {
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer(), fc.double());
    case 'boolean':
      return fc.boolean();
    case 'string':
      return fc.oneof(hostileText, fc.string({ maxLength }));
    default:
      return anyValue;
  }
}

function recordOf(properties: Readonly<Record<string, Schema>>): fc.Arbitrary<object> {
  const values = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, valueFor(schema)] as const),
  );
  return fc.oneof(fc.record(values), fc.record(values, { requiredKeys: [] }));
}
