import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { send } from '../test/support/client.ts';
import { startService } from '../test/support/service.ts';

describe('the program for signing keys', () => {
  const keys = async (env: Readonly<Record<string, string>>, ...args: string[]) => {
    const options = {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: { PATH: process.env['PATH'], ...env },
    };
    const program = ['--conditions=@tenantry/source', 'src/keys.ts', ...args];
    return promisify(execFile)(process.execPath, program, options).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      (error: unknown) => error as { code: number; stdout: string; stderr: string },
    );
  };

  test('lists, rotates and removes', async () => {
    const { config, app } = await startService();
    const env = { DATABASE_URL: config.DATABASE_URL, AUTH_SECRET: config.AUTH_SECRET };
    const [{ kid = '' } = {}] = (await send(app, 'GET /jwks')).body.keys;
    expect((await keys(env, 'list')).stdout).toMatch(new RegExp(`^${kid}  signing  signs from [^ ]+\n$`));

    const rotated = (await keys(env, 'rotate')).stdout.split('\n');
    expect(rotated[0]).toMatch(new RegExp(`^${kid}  signing .* published until `));
    expect(rotated[1]).toMatch(/ {2}next {5}signs from /);

    const removed = await keys(env, 'remove', kid);
    expect(removed.stdout).toContain('Removed');
    expect((await keys(env, 'list')).stdout).not.toContain(kid);
    expect((await keys(env, 'remove', kid)).code).toBe(1);
  });

  test.each([[[]], [['remove']], [['list', 'x']], [['constructor']]])(
    'says how it is used: %j',
    async (args) => {
      const { code, stderr } = await keys({}, ...args);
      expect(code).toBe(2);
      expect(stderr).toContain('keys remove KID');
    },
  );

  test('names every setting that is missing', async () => {
    const { code, stderr } = await keys({}, 'list');
    expect(code).toBe(1);
    expect(stderr).toMatch(/AUTH_SECRET is required[^]*DATABASE_URL is required/);
  });
});
