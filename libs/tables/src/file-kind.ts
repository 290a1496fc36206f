import type { FileBytes } from './file-bytes.ts';
import { notATable, type FileRefusal } from './tables.errors.ts';

/** What a file is by its first bytes. */
export type FileKind = 'text' | 'zip' | 'cards';

const beginnings: readonly (readonly [begin: string, refusal: FileRefusal])[] = [
  ['%PDF', 'pdf'],
  ['\x89PNG', 'image'],
  ['\xff\xd8\xff', 'image'],
  ['GIF8', 'image'],
  ['\x1f\x8b', 'archive'],
  ['Rar!', 'archive'],
  ['7z\xbc\xaf', 'archive'],
  ['{\\rtf', 'document'],
  ['SQLite format 3', 'binary'],
];
/** A compound file of old Office programs, which also holds what a password protects. */
const compound = '\xd0\xcf\x11\xe0';
const protectedPart = Buffer.from('EncryptedPackage', 'utf16le');
const sampleBytes = 64 * 1024;

/**
 * Tells a text from a workbook and from contact cards.
 *
 * @throws VALIDATION_ERROR for what is no table
 */
export async function fileKindOf(bytes: FileBytes): Promise<FileKind> {
  const begin = await bytes.read(0, sampleBytes);
  const latin = begin.toString('latin1');
  const found = beginnings.find(([bytesOfKind]) => latin.startsWith(bytesOfKind));
  if (found) throw notATable(found[1]);
  if (latin.startsWith(compound)) throw notATable((await isProtected(bytes)) ? 'password' : 'oldWorkbook');
  if (latin.startsWith('PK\x03\x04')) return 'zip';
  if (latin.startsWith('PK')) throw notATable('archive');
  const text = latin
    .replaceAll('\0', '')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .trimStart();
  if (/^BEGIN:VCARD/i.test(text)) return 'cards';
  if (/^<(?:!doctype|html|table|\?xml|meta)/i.test(text)) throw notATable('webPage');
  if (/^(?:\{\s*"|\[\s*[[{])/.test(text)) throw notATable('json');
  return 'text';
}

/** Whether a compound file says that it is encrypted: its directory is anywhere in the file. */
async function isProtected(bytes: FileBytes): Promise<boolean> {
  for (let at = 0; at < bytes.size; at += sampleBytes) {
    const piece = await bytes.read(at, sampleBytes + protectedPart.length);
    if (piece.includes(protectedPart)) return true;
  }
  return false;
}

/** Whether a text has so many characters that no text has that it is something else. */
export function isBinary(sample: string): boolean {
  const strange = sample.match(/[\0-\x08\x0e-\x1a\x1c-\x1f\ufffd]/g)?.length ?? 0;
  return strange > 8 && strange > sample.length / 50;
}
