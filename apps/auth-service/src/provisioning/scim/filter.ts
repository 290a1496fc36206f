import { ScimError } from '@tenantry/service/failures';
import { isAllStorable } from '@tenantry/service/validation';
import { userSchema } from './attributes.ts';
import { groupSchema } from './group-documents.ts';

/** The attributes that directories look people up by. */
export interface UserFilter {
  readonly by: 'userName' | 'externalId';
  readonly value: string;
}

/** The attribute that directories look groups up by. */
export interface GroupFilter {
  readonly displayName: string;
}

/** A part of a list, from 1: RFC 7644, 3.4.2.4. */
export interface Window {
  readonly startIndex: number;
  readonly count: number;
}

/** The most people or groups in an answer. */
export const listCountMax = 200;
const countDefault = 100;
const startIndexMax = 1_000_000;
const filterLengthMax = 1_000;
const formOf = (schema: string, names: string): RegExp =>
  new RegExp(
    `^\\s*(?:${schema.replaceAll('.', '\\.')}:)?(?<name>${names})\\s+eq\\s+(?<value>"(?:[^"\\\\]|\\\\.)*")\\s*$`,
    'i',
  );
const userForm = formOf(userSchema, 'userName|externalId');
const groupForm = formOf(groupSchema, 'displayName');

/** @throws ScimError for any filter but one attribute that equals a text */
export function readFilter(text: unknown): UserFilter {
  const found = foundBy(userForm, text);
  if (!found) throw invalidFilter('People are found by userName eq "…" or externalId eq "…".');
  return { by: found.name === 'username' ? 'userName' : 'externalId', value: found.value };
}

/** As {@link readFilter}. @throws ScimError */
export function readGroupFilter(text: unknown): GroupFilter {
  const found = foundBy(groupForm, text);
  if (!found) throw invalidFilter('Groups are found by displayName eq "…".');
  return { displayName: found.value };
}

function foundBy(form: RegExp, text: unknown): { readonly name: string; readonly value: string } | undefined {
  if (typeof text !== 'string' || text.length > filterLengthMax) return undefined;
  const { name = '', value = '' } = form.exec(text)?.groups ?? {};
  try {
    const read = { name: name.toLowerCase(), value: JSON.parse(value) as string };
    return isAllStorable(read) ? read : undefined;
  } catch {
    return undefined;
  }
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

const invalidFilter = (detail: string): ScimError =>
  new ScimError('VALIDATION_ERROR', 'invalidFilter', detail);
