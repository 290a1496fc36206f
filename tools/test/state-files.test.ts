import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExplainedError, liveHolder, replaceFile, workspaceRoot } from '@tenantry/dev-database';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { withLock } from '../bootstrap/lock.mjs';
import { readSecrets } from '../src/secrets.ts';
import { takeOver } from '../src/start/run-record.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenantry-state-'));
  onTestFinished(() => rm(directory, { recursive: true }));
});

/** What a power failure may leave of a text: nothing, a beginning, or zeros. */
const remainsOf = (text: string): string[] => [
  ...Array.from(text, (_, length) => text.slice(0, length)),
  '\0'.repeat(text.length),
  'null',
  '[]',
  '7',
];

describe('what is left of a state file by a power failure', () => {
  it('of running processes is written anew, with a line that says so', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => {
      told.mockRestore();
    });
    const file = join(directory, 'run/services.json');
    const whole = JSON.stringify({
      gateway: { pid: 2 ** 22, birth: '1' },
      auth: { pid: 2 ** 22, birth: '2' },
    });
    await mkdir(join(directory, 'run'));
    for (const text of remainsOf(whole)) {
      await writeFile(file, text);
      const record = await takeOver(directory);
      record.add('gateway', process.pid);
      await record.release();
    }
    expect(told.mock.calls.length).toBeGreaterThan(whole.length);
    for (const [line] of told.mock.calls) expect(line).toContain(`${file} is not readable`);
    expect(await readdir(join(directory, 'run'))).toEqual([]);
  });

  it('of secrets is explained', async () => {
    const file = join(directory, 'secrets.json');
    const whole = JSON.stringify({ AUTH_SECRET: 'a', INTERNAL_API_KEY: 'b' });
    for (const text of [...remainsOf(whole), '{"AUTH_SECRET":null}', '{"AUTH_SECRET":""}']) {
      await writeFile(file, text);
      const failure: unknown = await readSecrets(file).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ExplainedError);
      expect((failure as Error).message).toContain('repair it, or start over');
    }
  });

  it('of a lock holds nobody up', async () => {
    const name = `test-${randomUUID()}`;
    const file = join(workspaceRoot, '.tenantry', `${name}.lock`);
    await withLock(name, () => undefined);
    for (const text of remainsOf(JSON.stringify({ pid: 2 ** 22, birth: '1' }))) {
      await writeFile(file, text);
      expect(await withLock(name, () => 'done')).toBe('done');
    }
  });

  it('of a claim is no holder', async () => {
    const file = join(directory, 'launcher.json');
    for (const text of remainsOf(JSON.stringify({ pid: process.pid, birth: '1' }))) {
      await writeFile(file, text);
      expect(await liveHolder(directory)).toBeUndefined();
    }
  });
});

describe('a state file', () => {
  it('is replaced as a whole, for its owner alone', async () => {
    const file = join(directory, 'state');
    await writeFile(file, 'former', { mode: 0o644 });
    await replaceFile(file, 'newer');
    expect(await readFile(file, 'utf8')).toBe('newer');
    expect(await readdir(directory)).toEqual(['state']);
  });

  it('stays as it was where the new one cannot be written', async () => {
    const folder = join(directory, 'folder');
    await mkdir(join(folder, 'inside'), { recursive: true });
    await expect(replaceFile(folder, 'newer')).rejects.toThrow();
    expect(await readdir(directory)).toEqual(['folder']);
  });
});
