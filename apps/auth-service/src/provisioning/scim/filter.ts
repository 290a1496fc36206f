import { ScimError } from '@tenantry/service/failures';
import { isAllStorable } from '@tenantry/service/validation';
import { userSchema } from './attributes.ts';

/** The attributes that directories look people up by. */
export interface UserFilter {
  readonly by: 'userName' | 'externalId';
  readonly value: string;
}

/** A part of a list, from 1: RFC 7644, 3.4.2.4. */
export interface Window {
  readonly startIndex: number;
  readonly count: number;
}

/** The most people in an answer. */
export const listCountMax = 200;
const countDefault = 100;
const startIndexMax = 1_000_000;
const filterLengthMax = 1_000;
const filterForm = new RegExp(
  `^\\s*(?:${userSchema.replaceAll('.', '\\.')}:)?(?<name>userName|externalId)\\s+eq\\s+(?<value>"(?:[^"\\\\]|\\\\.)*")\\s*$`,
  'i',
);

/** @throws ScimError for any filter but one attribute that equals a text */
export function readFilter(text: unknown): UserFilter {
  if (typeof text !== 'string') throw invalidFilter();
  const { name, value = '' } = (text.length <= filterLengthMax && filterForm.exec(text)?.groups) || {};
  if (name === undefined) throw invalidFilter();
  try {
    const by = name.toLowerCase() === 'username' ? 'userName' : 'externalId';
    const read = { by, value: JSON.parse(value) as string } as const;
    if (isAllStorable(read)) return read;
  } catch {
    // Said below.
  }
  throw invalidFilter();
}

/** Which part of a list a query asks for. @throws ScimError */
export function readWindow({ startIndex, count }: Readonly<Record<string, unknown>>): Window {
  return {
    startIndex: Math.min(Math.max(numberIn('startIndex', startIndex, 1), 1), startIndexMax),
    count: Math.min(Math.max(numberIn('count', count, countDefault), 0), listCountMax),
  };
}

function numberIn(name: string, text: unknown, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (typeof text === 'string' && /^-?\d{1,9}$/.test(text)) return Number(text);
  throw new ScimError('VALIDATION_ERROR', 'invalidValue', `${name} must be a whole number.`);
}

const invalidFilter = (): ScimError =>
  new ScimError(
    'VALIDATION_ERROR',
    'invalidFilter',
    'People are found by userName eq "…" or externalId eq "…".',
  );
