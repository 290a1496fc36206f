import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, resolve } from 'node:path';
import { promisify } from 'node:util';
import { formatMessage } from 'publint/utils';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const project = resolve(import.meta.dirname, '..');
const tools = resolve(project, '../../node_modules/.bin');
const directory = mkdtempSync(resolve(tmpdir(), 'jwt-verify-package-'));
const staged = resolve(directory, 'package');
const consumer = resolve(directory, 'consumer');
const manifest = JSON.parse(readFileSync(resolve(project, 'package.json'), 'utf8')) as {
  devDependencies: Record<string, string>;
};

/** Runs a program and gives what it printed; its output is in the error when it fails. */
async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd, timeout: 120_000 });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}

const install = (...packages: string[]): Promise<string> =>
  run(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', '--save-exact', ...packages],
    consumer,
  );

/** Every Node on this machine's PATH, and the one that runs the tests. */
function nodes(): string[] {
  const found = (process.env['PATH'] ?? '').split(delimiter).map((entry) => resolve(entry, 'node'));
  return [...new Set([process.execPath, ...found.filter(existsSync).map((file) => realpathSync(file))])];
}

let tarball = '';
beforeAll(async () => {
  // Built and packed aside, so that nobody's dist changes under their hands.
  mkdirSync(consumer);
  for (const part of ['src', 'package.json', 'README.md'])
    cpSync(resolve(project, part), resolve(staged, part), { recursive: true });
  const buildInfo = resolve(staged, 'dist/tsconfig.tsbuildinfo');
  const options = ['--outDir', resolve(staged, 'dist'), '--tsBuildInfoFile', buildInfo];
  await run(resolve(tools, 'tsc'), ['-p', 'tsconfig.build.json', ...options], project);
  await run('npm', ['pack', '--pack-destination', directory], staged);
  tarball = resolve(directory, readdirSync(directory).find((name) => name.endsWith('.tgz')) ?? 'none');
  writeFileSync(resolve(consumer, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  await install(tarball);
}, 240_000);
afterAll(() => rmSync(directory, { recursive: true }));

describe('the package', () => {
  it('brings jose into an empty project and nothing else', () => {
    const names = readdirSync(resolve(consumer, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(names.sort()).toEqual(['@tenantry', 'jose']);
  });

  it('holds what was built, its source and its README', async () => {
    const files = (await run('tar', ['-tzf', tarball], directory)).trim().split('\n');
    expect(files).toContain('package/README.md');
    for (const entry of ['index', 'fastify', 'express', 'web', 'nest', 'testing']) {
      expect(files).toContain(`package/dist/${entry}.js`);
      expect(files).toContain(`package/dist/${entry}.d.ts`);
      expect(files).toContain(`package/src/${entry}.ts`);
    }
    expect(
      files.filter((file) => !/^package\/(dist|src)\/|^package\/(README\.md|package\.json)$/.test(file)),
    ).toEqual([]);
    expect(files.filter((file) => file.includes('tsbuildinfo'))).toEqual([]);
  });

  it.each(nodes())('verifies a token under plain %s', async (node) => {
    const program = `
      import { createVerifier } from '@tenantry/jwt-verify';
      import { createTestIssuer } from '@tenantry/jwt-verify/testing';
      import { jwtAccess } from '@tenantry/jwt-verify/fastify';
      const issuer = await createTestIssuer({ server: true });
      const verifier = createVerifier({ issuer: issuer.issuer, revocations: issuer.server.revocationsUrl });
      await verifier.ready();
      const { userId } = await verifier.verify(await issuer.token({ sub: 'user-1' }));
      verifier.close();
      await issuer.close();
      console.log(userId, typeof jwtAccess);`;
    const output = await run(node, ['--input-type=module', '--eval', program], consumer);
    expect(output).toBe('user-1 function\n');
  });

  it('typechecks in a strict project', async () => {
    await install(`fastify@${manifest.devDependencies['fastify'] ?? ''}`);
    writeFileSync(
      resolve(consumer, 'service.ts'),
      `import Fastify from 'fastify';
      import { authorize, can, createVerifier, TokenError, type Identity, type TokenErrorCode } from '@tenantry/jwt-verify';
      import { identityOf, jwtAccess, memberOf } from '@tenantry/jwt-verify/fastify';
      import { createTestIssuer } from '@tenantry/jwt-verify/testing';
      const issuer = await createTestIssuer();
      const verifier = createVerifier({ issuer: issuer.issuer, jwks: issuer.jwks, revocations: false });
      const access = jwtAccess(verifier);
      const app = Fastify();
      await app.register(access.protect);
      const onRequest = [access.requires('leads:write'), access.requiresRecentFactor({ maxAgeSeconds: 300 })];
      app.get('/', { onRequest }, async (request): Promise<Identity> => identityOf(request));
      app.get('/organization', { onRequest }, async (request): Promise<string> => memberOf(request).organizationId);
      // @ts-expect-error null where the route is public
      app.get('/public', { config: { public: true } }, async (request) => request.identity.userId);
      export function organizationOf(identity: Identity): string {
        authorize(identity, 'leads:read');
        return identity.organizationId;
      }
      const own = jwtAccess(verifier, { permissions: { owner: ['invoices:read'], member: ['invoices:read'] } });
      own.requires('invoices:read');
      // @ts-expect-error not one of the table
      own.requires('leads:read');
      const byRule = jwtAccess(verifier, { permissions: (_, permission: 'a' | 'b') => permission === 'a' });
      byRule.requires('b');
      // @ts-expect-error not one of the rule
      byRule.requires('c');
      export function authorized(identity: Identity): string {
        authorize(identity, 'invoices:read', { member: ['invoices:read'] });
        return identity.organizationId;
      }
      // @ts-expect-error revocations are a decision
      createVerifier({ issuer: issuer.issuer });
      // @ts-expect-error a missing variable is no issuer
      createVerifier({ issuer: undefined as string | undefined, revocations: false });
      createVerifier({ issuers: [{ issuer: issuer.issuer, revocations: false }], audience: ['a', 'b'] });
      export const codeOf = (error: unknown): TokenErrorCode | undefined =>
        error instanceof TokenError ? error.code : undefined;
      export const allowed: boolean = can('member', 'leads:read');
      // @ts-expect-error no such permission
      access.requires('leads:wrtie');
      // @ts-expect-error an identity cannot be changed
      (await verifier.verify('')).userId = 'x';`,
    );
    const options = [
      '--strict',
      '--exactOptionalPropertyTypes',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--noEmit',
    ];
    await run(
      resolve(tools, 'tsc'),
      [...options, '--ignoreConfig', '--skipLibCheck', 'service.ts'],
      consumer,
    );
  });

  it('has declarations without an error, those of jose included', async () => {
    writeFileSync(
      resolve(consumer, 'core.ts'),
      `import { createVerifier, type Verifier } from '@tenantry/jwt-verify';
      import { createTestIssuer } from '@tenantry/jwt-verify/testing';
      export const verifier: Verifier = createVerifier({
        issuer: 'https://auth.example.com',
        revocations: false,
      });
      export const issuer = createTestIssuer();`,
    );
    const options = [
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--lib',
      'es2023,dom',
      '--noEmit',
    ];
    await run(resolve(tools, 'tsc'), [...options, '--ignoreConfig', 'core.ts'], consumer);
  });

  it('is clean to publint', async () => {
    const { messages, pkg } = await publint({ pkgDir: staged, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it('has types that are not wrong', async () => {
    await run(resolve(tools, 'attw'), [tarball, '--profile', 'esm-only', '--no-emoji'], directory);
  });
});
