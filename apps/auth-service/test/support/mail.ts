import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { patience } from '@tenantry/test-kit';
import { vi } from 'vitest';
import { openLetter, type TemplateName } from '../../src/mail/letter.ts';
import { SecretRing } from '../../src/ground/secrets/auth-secret.ts';
import type { RunningService } from './service.ts';

/** The templates of all letters to an address, oldest first. */
export async function lettersTo({ sql }: RunningService, email: string): Promise<string[]> {
  const rows = await sql('SELECT template FROM mail_outbox WHERE recipient = $1 ORDER BY created_at', [
    email,
  ]);
  return rows.map(({ template }) => String(template));
}

/** The token in the latest letter of a kind to an address, whether it has left already or not. */
export function mailedToken(service: RunningService, email: string, template: TemplateName): Promise<string> {
  return vi.waitFor(
    async () => {
      const [row] = await service.sql(
        'SELECT id, payload FROM mail_outbox WHERE recipient = $1 AND template = $2 ORDER BY created_at DESC LIMIT 1',
        [email, template],
      );
      const letter = row && textOf(service, row as unknown as StoredLetter);
      const token = /tr[rvem]_[\w-]{86}/.exec(letter ?? '')?.[0];
      if (token === undefined) throw new Error(`there is no ${template} for ${email} yet`);
      return token;
    },
    { timeout: patience(), interval: 20 },
  );
}

/** What the latest letter of a kind to an address says, whether it has left already or not. */
export function letterTo(service: RunningService, email: string, template: TemplateName): Promise<string> {
  return vi.waitFor(
    async () => {
      const [row] = await service.sql(
        'SELECT id, payload FROM mail_outbox WHERE recipient = $1 AND template = $2 ORDER BY created_at DESC LIMIT 1',
        [email, template],
      );
      if (!row) throw new Error(`there is no ${template} for ${email}`);
      const file = join(service.mailDirectory, `${String(row['id'])}.txt`);
      if (!existsSync(file)) throw new Error(`${template} for ${email} is still under way`);
      return readFileSync(file, 'utf8');
    },
    { timeout: patience(), interval: 20 },
  );
}

interface StoredLetter {
  readonly id: string;
  readonly payload: Buffer | null;
}

function textOf(
  { config, mailDirectory }: RunningService,
  { id, payload }: StoredLetter,
): string | undefined {
  const secret = new SecretRing(config.AUTH_SECRET).current;
  if (payload) return JSON.stringify(openLetter(payload, id, secret));
  const file = join(mailDirectory, `${id}.eml`);
  // Quoted-printable folds long lines.
  return existsSync(file) ? readFileSync(file, 'utf8').replaceAll(/=\r?\n/g, '') : undefined;
}

/** What the latest letter of a kind to an address was written with: its token and code, if it has them. */
export async function letterData(
  service: RunningService,
  email: string,
  template: TemplateName,
): Promise<{ readonly token: string; readonly code: string }> {
  return vi.waitFor(
    async () => {
      const [row] = await service.sql(
        'SELECT id, payload FROM mail_outbox WHERE recipient = $1 AND template = $2 ORDER BY created_at DESC LIMIT 1',
        [email, template],
      );
      const text = row && textOf(service, row as unknown as StoredLetter);
      const token = /tr[rvem]_[\w-]{86}/.exec(text ?? '')?.[0];
      if (text === undefined || token === undefined)
        throw new Error(`there is no ${template} for ${email} yet`);
      return { token, code: /\b\d{4} \d{4}\b/.exec(text)?.[0] ?? '' };
    },
    { timeout: patience(), interval: 20 },
  );
}
