import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { freePort } from '@tenantry/dev-database';
import { expect, it } from 'vitest';

const count = 300;

async function ports(): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n < count; n += 1) found.push(await freePort());
  return found;
}

it('a free port is given once, whichever process asks for it', async () => {
  const mine = await ports();
  const script = `const { freePort } = await import('@tenantry/dev-database');
    const found = []; for (let n = 0; n < ${count}; n += 1) found.push(await freePort());
    console.log(JSON.stringify(found)); process.exit();`;
  const args = [
    ...process.execArgv,
    '--conditions=@tenantry/source',
    '--input-type=module',
    '--eval',
    script,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  const all = [...mine, ...(JSON.parse(stdout) as number[])];
  expect(new Set(all).size).toBe(2 * count);
});
