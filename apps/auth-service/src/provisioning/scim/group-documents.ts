import { ScimError } from '@tenantry/service/failures';
import { isAllStorable } from '@tenantry/service/validation';
import { invalidValue, isObject } from './attributes.ts';
import { operationsIn, type Operation } from './patch.ts';

/** The schema of a group: RFC 7643, 4.2. */
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** What a directory says of a group. */
export interface GroupSaid {
  readonly displayName: string;
  readonly externalId: string | null;
  /** Ids of people, each once. */
  readonly members: readonly string[];
}

/** The most people in a group. */
export const groupMembersMax = 10_000;
const lengthMax = 255;
const readOnly: ReadonlySet<string> = new Set(['schemas', 'id', 'meta']);
const uuidForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Owners tell groups apart by what they see of their names. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u200b\u202a-\u202e\u2060-\u2069\ufeff]/u;
const memberForm = /^members\[\s*value\s+eq\s+"(?<id>[^"\\]*)"\s*\]$/i;

/** A name is compared without regard to case, as Microsoft Entra ID looks groups up. */
export const groupNameKey = (displayName: string): string => displayName.toLowerCase();

/** Reads a whole group. @throws ScimError */
export function readGroup(body: unknown): GroupSaid {
  if (!isObject(body))
    throw new ScimError('VALIDATION_ERROR', 'invalidSyntax', 'Send a group as a JSON object.');
  const empty: GroupSaid = { displayName: '', externalId: null, members: [] };
  const given = Object.entries(body).filter(([name]) => !readOnly.has(name.toLowerCase()));
  return whole(given.reduce((said, [path, value]) => replaced(said, { path, value }), empty));
}

/** What a directory says of a group after a PATCH, all of it or nothing. @throws ScimError */
export function patchedGroup(before: GroupSaid, body: unknown): GroupSaid {
  return whole(operationsIn(body).reduce(applied, before));
}

function applied(said: GroupSaid, operation: Operation): GroupSaid {
  const { op, value } = operation;
  const path = plain(operation.path);
  const one = memberForm.exec(path)?.groups?.['id'];
  if (one !== undefined) {
    if (op !== 'remove') throw invalidPath(path);
    return { ...said, members: said.members.filter((id) => id !== one.toLowerCase()) };
  }
  if (path.toLowerCase() === 'members') return { ...said, members: membersAfter(said.members, operation) };
  if (op !== 'remove') return replaced(said, { path, value });
  if (path.toLowerCase() !== 'externalid') throw invalidPath(path);
  return { ...said, externalId: null };
}

/** With a value, `remove` means these alone, as Microsoft Entra ID writes it. */
function membersAfter(before: readonly string[], { op, value }: Operation): string[] {
  const isNone = value === undefined || value === null;
  if (op === 'remove') {
    const gone = new Set(isNone ? before : memberIds(value));
    return before.filter((id) => !gone.has(id));
  }
  const named = memberIds(isNone ? [] : value);
  return op === 'add' ? [...new Set([...before, ...named])] : named;
}

function replaced(said: GroupSaid, { path, value }: { readonly path: string; readonly value: unknown }) {
  switch (plain(path).toLowerCase()) {
    case 'displayname':
      return { ...said, displayName: text('displayName', value) };
    case 'externalid': {
      const isNone = value === null || value === undefined || value === '';
      return { ...said, externalId: isNone ? null : text('externalId', value) };
    }
    case 'members':
      return { ...said, members: memberIds(value ?? []) };
    default:
      throw invalidValue(path, 'is not kept here: remove it from what your directory sends');
  }
}

/** Values of members: `[{ "value": "…" }]`. Groups in groups are none of the people whom a directory knows. */
function memberIds(value: unknown): string[] {
  const list: unknown[] = [value].flat();
  if (list.length > groupMembersMax) throw tooMany();
  const ids = list.map((one) => {
    const { value: id } = isObject(one) ? one : {};
    if (typeof id !== 'string' || !uuidForm.test(id)) throw unknownMember();
    return id.toLowerCase();
  });
  return [...new Set(ids)];
}

function whole(said: GroupSaid): GroupSaid {
  if (said.displayName.trim() === '') throw invalidValue('displayName', 'is required');
  if (unseen.test(said.displayName))
    throw invalidValue('displayName', 'contains characters that cannot be seen');
  if (!isAllStorable([said.displayName, said.externalId]))
    throw invalidValue('The group', 'contains characters that cannot be stored');
  if (said.members.length > groupMembersMax) throw tooMany();
  return said;
}

function text(name: string, value: unknown): string {
  if (typeof value !== 'string') throw invalidValue(name, 'must be text');
  if (value.length > lengthMax) throw invalidValue(name, `may have at most ${lengthMax} characters`);
  return value;
}

const plain = (path: string): string => {
  const prefix = `${groupSchema}:`;
  return path.toLowerCase().startsWith(prefix.toLowerCase()) ? path.slice(prefix.length) : path;
};

const tooMany = (): ScimError => invalidValue('members', `may have at most ${groupMembersMax} people`);

/** Also of somebody whom the directory has not added yet. */
export const unknownMember = (): ScimError =>
  invalidValue('members', 'names somebody who is not in the directory: only its people are in groups');

const invalidPath = (path: string): ScimError =>
  new ScimError('VALIDATION_ERROR', 'invalidPath', `There is nothing to change at ${path.slice(0, 100)}.`);
