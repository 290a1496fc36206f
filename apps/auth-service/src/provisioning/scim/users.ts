import { ScimError } from '@tenantry/service/failures';
import { isAllStorable } from '@tenantry/service/validation';
import { lowerAscii, readEmail } from '@tenantry/text';
import { displayName } from '../../sign-in/index.ts';
import {
  invalidValue,
  isObject,
  isReadOnly,
  readObject,
  writable,
  type Value,
  type Values,
} from './attributes.ts';

/** What a directory says of somebody. */
export interface Said {
  readonly userName: string;
  readonly externalId: string | null;
  /** Undefined where the directory does not say: nothing changes then. */
  readonly active: boolean | undefined;
  /** Everything else, kept so that the directory finds what it wrote. */
  readonly attributes: Values;
}

const identifierLengthMax = 255;
const attributesBytesMax = 8_192;

/**
 * Reads a whole user.
 *
 * @param passwords what becomes of one: Okta makes one up for each account that it creates, which has no use here; a change of it is
 * refused, since nothing would come of it
 * @throws ScimError
 */
export function readUser(body: unknown, passwords: 'ignored' | 'refused'): Said {
  if (!isObject(body))
    throw new ScimError('VALIDATION_ERROR', 'invalidSyntax', 'Send a user as a JSON object.');
  const given = Object.entries(body).filter(([name]) => {
    if (name.toLowerCase() !== 'password') return !isReadOnly(name);
    if (passwords === 'refused') throw noPasswords();
    return false;
  });
  return saidIn(readObject(writable, Object.fromEntries(given)));
}

/** Accounts of a directory have no passwords that it could know. */
export const noPasswords = (): ScimError =>
  new ScimError(
    'VALIDATION_ERROR',
    'mutability',
    'Directories set no passwords here: turn off their synchronization.',
  );

/** What values of all {@link writable} attributes say. @throws ScimError */
export function saidIn({ userName, externalId, active, ...attributes }: Values): Said {
  if (typeof userName !== 'string') throw invalidValue('userName', 'is required');
  if (!isAllStorable([userName, externalId, attributes])) {
    throw invalidValue('The user', 'contains characters that cannot be stored');
  }
  if (Buffer.byteLength(JSON.stringify(attributes)) > attributesBytesMax) {
    throw invalidValue('The user', `may have at most ${attributesBytesMax} bytes`);
  }
  return {
    userName: identifier('userName', userName),
    externalId: typeof externalId === 'string' ? identifier('externalId', externalId) : null,
    active: typeof active === 'boolean' ? active : undefined,
    attributes,
  };
}

/** The reverse of {@link saidIn}. */
export const valuesOf = ({ userName, externalId, active, attributes }: Said): Values => ({
  ...structuredClone(attributes),
  userName,
  ...(externalId === null ? {} : { externalId }),
  ...(active === undefined ? {} : { active }),
});

/** A user name is compared without regard to case: RFC 7643, 4.1.1. */
export const userNameKey = (userName: string): string => userName.toLowerCase();

/** The address by which somebody's account is found or made: the primary one, that of work, the first one, or the user name. */
export function addressOf({ userName, attributes }: Said): string | undefined {
  const emails = listOf(attributes['emails']);
  const chosen =
    emails.find(({ primary }) => primary === true) ??
    emails.find(({ type }) => typeof type === 'string' && type.toLowerCase() === 'work') ??
    emails[0];
  const written = chosen?.['value'] ?? userName;
  return typeof written === 'string' ? readEmail(lowerAscii(written)) : undefined;
}

/** What a new account is called; undefined if the directory names nobody. */
export function nameOf({ attributes }: Said): string | undefined {
  const name = isObject(attributes['name']) ? attributes['name'] : {};
  const parts = [name['givenName'], name['familyName']].filter((part) => typeof part === 'string');
  return (
    displayName(attributes['displayName']) ?? displayName(name['formatted']) ?? displayName(parts.join(' '))
  );
}

function identifier(name: string, value: string): string {
  if (value.length <= identifierLengthMax) return value;
  throw invalidValue(name, `may have at most ${identifierLengthMax} characters`);
}

const listOf = (value: Value | undefined): readonly Values[] => (Array.isArray(value) ? value : []);
