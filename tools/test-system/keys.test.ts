import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keysProgram } from '../src/keys/keys.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenantry-keys-'));
});
afterAll(() => rm(directory, { recursive: true }));

const AUTH_SERVICE_DATABASE_URL = 'postgres://tenantry_auth_service@db.example/tenantry_auth';

describe('npm run keys', () => {
  it('works on the database and the secret of the environment', async () => {
    const env = { AUTH_SERVICE_DATABASE_URL, AUTH_SECRET: 'from the environment' };
    const program = await keysProgram(['remove', 'kid'], { workspaceRoot, directory, env });
    expect(program.args.slice(-3)).toEqual(['src/keys.ts', 'remove', 'kid']);
    expect(program.cwd).toBe(join(workspaceRoot, 'apps', 'auth-service'));
    expect(program.env).toMatchObject({
      DATABASE_URL: AUTH_SERVICE_DATABASE_URL,
      AUTH_SECRET: 'from the environment',
    });
  });

  it('takes the secret that npm start made, where the environment names none', async () => {
    await writeFile(join(directory, 'secrets.json'), JSON.stringify({ AUTH_SECRET: 'from npm start' }));
    const env = { AUTH_SERVICE_DATABASE_URL };
    const program = await keysProgram(['list'], { workspaceRoot, directory, env });
    expect(program.env['AUTH_SECRET']).toBe('from npm start');
  });

  it('says what to do when there is no database to work on', async () => {
    await expect(keysProgram(['list'], { workspaceRoot, directory, env: {} })).rejects.toThrow(
      'begin with npm start, or set AUTH_SERVICE_DATABASE_URL and AUTH_SECRET',
    );
  });
});
