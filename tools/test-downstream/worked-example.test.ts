import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { patience } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkoutRoot, copyCheckout } from '../test/support/checkout.ts';
import { npmStart } from '../test/support/tenantry.ts';

/** The blocks of docs/new-service.md, in their order: commands, changes of files, and whole files. */
const page = readFileSync(join(checkoutRoot, 'docs/new-service.md'), 'utf8');
const blocks = [...page.matchAll(/^```(sh|diff|ts)\n([^]*?)^```$/gm)].map(([, kind = '', text = '']) => ({
  kind,
  text,
}));

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tenantry-worked-example-'));
  await copyCheckout(root);
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function bash(script: string): Promise<string> {
  const env = { ...process.env, TEST_DATABASE_ADMIN_URL: undefined };
  const running = promisify(execFile)('bash', ['-euc', script], {
    cwd: root,
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  const { stdout } = await running.catch((error: unknown) => {
    const { message, stdout: printed, stderr } = error as Error & { stdout: string; stderr: string };
    throw new Error(`${message}\n${printed}\n${stderr}`);
  });
  return stdout;
}

/** Changes files as a block says: `# path`, then the old text and the new one, with … between places. */
function change(text: string): void {
  for (const part of text.split(/^# /m).filter((each) => each.trim() !== '')) {
    const [path = '', ...lines] = part.split('\n');
    const file = join(root, path);
    let content = readFileSync(file, 'utf8');
    for (const hunk of lines.join('\n').split('…\n')) {
      const side = (mark: '+' | '-') =>
        hunk
          .split('\n')
          .filter((line) => line !== '' && !line.startsWith(mark))
          .map((line) => `${line.slice(1)}\n`)
          .join('');
      const [before, after] = [side('+'), side('-')];
      expect(content.split(before).length, `${path} has this once:\n${before}`).toBe(2);
      content = content.replace(before, () => after);
    }
    writeFileSync(file, content);
  }
}

describe('docs/new-service.md', { timeout: patience(600_000) }, () => {
  it('takes under thirty commands', () => {
    const scripts = blocks
      .filter(({ kind }) => kind === 'sh')
      .map(({ text }) => text.replaceAll(/(\\|\|)\n\s*/g, ''));
    const commands = scripts
      .flatMap((text) => text.split('\n'))
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(commands.length).toBeGreaterThan(10);
    expect(commands.length).toBeLessThan(30);
  });

  it('leads from nothing to a mailed invoice with the name that auth-service tells', async () => {
    for (const { kind, text } of blocks) {
      if (kind === 'diff') change(text);
      else if (kind === 'ts')
        writeFileSync(join(root, /^\/\/ (\S+)\n/.exec(text)?.[1] ?? ''), text.replace(/^.*\n/, ''));
      else if (!text.includes('API=')) await bash(text);
      else {
        const tenantry = await npmStart(root);
        try {
          const printed = await bash(text.replace('http://127.0.0.1:8080', tenantry.url));
          expect(printed).toContain('"title":"Gear wheels","amount":6184.5');
          expect(printed).toMatch(/Gear wheels\s+6184\.50\s+Analytical Engines/);
          expect(printed).toContain('"action":"invoice.sent"');
        } finally {
          await tenantry.stop();
        }
      }
    }
  });
});
