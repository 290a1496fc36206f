import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { describe, expect, it } from 'vitest';

const { scripts } = JSON.parse(readFileSync(join(workspaceRoot, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
/** Those of our own; Nx, Vitest and Oxfmt help themselves. */
const own = Object.entries(scripts).filter(
  ([, script]) => script.startsWith('exec node tools/bootstrap.mjs') && !/ (?:nx|vitest)\b/.test(script),
);

describe('npm scripts', () => {
  it.each(own)('npm run %s -- --help tells how it is used, and does nothing', (name, script) => {
    const written = join(workspaceRoot, 'docs/configuration.md');
    const before = statSync(written).mtimeMs;
    const [, , ...args] = script.split(' ');
    const { status, stdout, stderr } = spawnSync(process.execPath, [...args, '--help'], {
      cwd: workspaceRoot,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`);
    expect(statSync(written).mtimeMs).toBe(before);
  });

  it('run in any shell: where there is no exec, as in that of Windows, a file stands in for it', () => {
    for (const script of Object.values(scripts)) {
      expect(script).toMatch(/^(?:(?:exec )?node tools\/bootstrap\.mjs|oxfmt)[\w :,.&/-]*$/);
    }
    expect(readFileSync(join(workspaceRoot, 'exec.cmd'), 'latin1')).toMatch(/^@%\*\r\n$/m);
  });
});
