import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './demo-api.ts';

const withinMs = 15_000;
const pauseMs = 100;

/**
 * Follows the link in the letter to a new account, so that it may invite people and send quotes. Where letters go to a mail
 * server there is none to be found, and the reader of the mailbox confirms.
 */
export async function confirmAddress(api: Api, directory: string, email: string): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline) {
    const token = await mailedToken(directory, email);
    if (token !== undefined) {
      await api.post('/api/auth/email/verify', { token });
      return;
    }
    await sleep(pauseMs);
  }
}

async function mailedToken(directory: string, email: string): Promise<string | undefined> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names.filter((file) => file.endsWith('.txt'))) {
    const letter = await readFile(join(directory, name), 'utf8');
    const token = letter.startsWith(`To: ${email}\n`) ? /trv_[\w-]+/.exec(letter)?.[0] : undefined;
    if (token !== undefined) return token;
  }
  return undefined;
}
