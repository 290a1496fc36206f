import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findChromium } from '../test/support/chromium.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

const isOnPath = (program: string) =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

/** What a bench needs beside Node.js. `against` needs another checkout, and begins as `leads-list` does. */
const needs: Readonly<Record<string, boolean>> = {
  gateway: isOnPath('wrk') && isOnPath('nginx'),
  console: findChromium() !== undefined,
  against: false,
};
const benches = globSync('bench/src/*.bench.ts', { cwd: root }).map((file) => basename(file, '.bench.ts'));

describe('a bench runs to its end in short', () => {
  for (const bench of benches.sort())
    it.skipIf(needs[bench] === false)(bench, async () => {
      const args = ['--conditions=@tenantry/source', 'bench/src/main.ts', '--quick', bench];
      const { stdout } = await run(process.execPath, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 });
      expect(stdout).toMatch(/^= /m);
    });
});
