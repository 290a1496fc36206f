import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from '@tenantry/test-kit';

/** The pages that mailed links lead to. */
export type MailedPage = 'verify-email' | 'reset-password' | 'accept-invitation' | 'sign-in';

/** Letters leave within a second; other tests that start services meanwhile make that longer. */
const withinMs = patience(60_000);

/** The token in the letter to an address, as soon as it is there. */
export function mailedToken(directory: string, to: string, page: MailedPage): Promise<string> {
  return mailed(directory, to, new RegExp(`/${page}#token=([\\w.~-]+)`));
}

/** The link in the letter to an address whose path and what follows are like this, as soon as it is there. */
export function mailedLink(directory: string, to: string, path: RegExp): Promise<string> {
  return mailed(directory, to, new RegExp(`(https?://[\\w.:-]+${path.source})`));
}

/** The letter to an address, as soon as it is there. */
export const mailedLetter = (directory: string, to: string): Promise<string> =>
  mailed(directory, to, /^([^]*)$/);

/** What a letter to an address has in the first group of a pattern. */
async function mailed(directory: string, to: string, pattern: RegExp): Promise<string> {
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline) {
    for (const letter of await letters(directory)) {
      const found = letter.includes(`To: ${to}\n`) ? pattern.exec(letter)?.[1] : undefined;
      if (found !== undefined) return found;
    }
    await sleep(50);
  }
  throw new Error(`No letter with ${pattern.source} came to ${to}`);
}

const known = new Map<string, string>();

async function letters(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory).catch(() => []);
  for (const file of names.filter((name) => name.endsWith('.eml')).map((name) => join(directory, name))) {
    if (!known.has(file)) known.set(file, withoutTransferEncoding(await readFile(file, 'utf8')));
  }
  return [...known].filter(([file]) => file.startsWith(directory)).map(([, letter]) => letter);
}

/** RFC 2045, 6.7: quoted-printable. */
const withoutTransferEncoding = (text: string): string =>
  text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/(?:=[\dA-F]{2})+/g, (bytes) =>
      Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'),
    );
