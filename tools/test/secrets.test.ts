import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureSecrets } from '../src/secrets.ts';

describe('ensureSecrets', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-secrets-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('makes a secret once and keeps it when others are added', async () => {
    const { AUTH_SECRET } = await ensureSecrets(directory, ['AUTH_SECRET']);
    expect(AUTH_SECRET).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const both = await ensureSecrets(directory, ['INTERNAL_API_KEY', 'AUTH_SECRET']);
    expect(both['AUTH_SECRET']).toBe(AUTH_SECRET);
    expect(both['INTERNAL_API_KEY']).not.toBe(AUTH_SECRET);
    expect(JSON.parse(await readFile(join(directory, 'secrets.json'), 'utf8'))).toEqual(both);
  });

  it('lets only its owner read the file', async () => {
    await ensureSecrets(directory, ['AUTH_SECRET']);
    expect((await stat(join(directory, 'secrets.json'))).mode & 0o777).toBe(0o600);
  });

  it('never replaces a file it cannot read: a lost AUTH_SECRET locks everybody out', async () => {
    await writeFile(join(directory, 'secrets.json'), '{"AUTH_SECRET": "half');
    await expect(ensureSecrets(directory, ['AUTH_SECRET'])).rejects.toThrow('repair it, or start over');
    expect(await readFile(join(directory, 'secrets.json'), 'utf8')).toBe('{"AUTH_SECRET": "half');
  });
});
