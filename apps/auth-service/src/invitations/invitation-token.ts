import { hash, randomBytes } from 'node:crypto';

/** Which invitation a token opens, and the digest that must be stored there. */
export interface InvitationKey {
  readonly organizationId: string;
  readonly id: string;
  readonly digest: Buffer;
}

const prefix = 'tri_';
const idBytes = 16;
const secretBytes = 32;
const form = /^tri_[A-Za-z0-9_-]{86}$/;

/**
 * Makes a token for an invitation: where it is found, and 256 random bits. Stored is its digest alone, so nothing in
 * the database lets anybody in.
 */
export function newInvitationToken(organizationId: string, id: string): { token: string; digest: Buffer } {
  const bytes = Buffer.concat([bytesOf(organizationId), bytesOf(id), randomBytes(secretBytes)]);
  const token = prefix + bytes.toString('base64url');
  return { token, digest: digestOf(token) };
}

/** Reads a token; undefined for anything that {@link newInvitationToken} does not make. */
export function readInvitationToken(token: string): InvitationKey | undefined {
  if (!form.test(token)) return undefined;
  const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
  const [organizationId, id] = [0, idBytes].map((start) => uuidOf(bytes.subarray(start, start + idBytes)));
  return { organizationId: organizationId ?? '', id: id ?? '', digest: digestOf(token) };
}

/** Of the text, purpose included: what opens one door has another digest at every other. */
function digestOf(token: string): Buffer {
  return hash('sha256', `invitation:${token}`, 'buffer');
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
