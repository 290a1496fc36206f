import { existsSync, readFileSync, realpathSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { formatMessage } from 'publint/utils';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packPackage, programs, run, type PackedPackage } from '../test/support/packed-package.ts';
import { undocumentedExports } from '../test/support/undocumented.ts';

const workspaceRoot = join(import.meta.dirname, '../..');

/** Every Node on this machine's PATH, and the one that runs the tests. */
function nodes(): string[] {
  const found = (process.env['PATH'] ?? '').split(delimiter).map((entry) => resolve(entry, 'node'));
  return [...new Set([process.execPath, ...found.filter(existsSync).map((file) => realpathSync(file))])];
}

/** What each published library brings along, and a program that uses it and prints `works`. */
const libraries = {
  'jwt-verify': {
    brings: ['@tenantry', 'jose'],
    program: `
      const issuer = await createTestIssuer({ server: true });
      const verifier = createVerifier({ issuer: issuer.issuer, revocations: issuer.server.revocationsUrl });
      await verifier.ready();
      const { userId } = await verifier.verify(await issuer.token({ sub: 'works' }));
      verifier.close();
      await issuer.close();
      console.log(userId);`,
    imports: {
      '@tenantry/jwt-verify': 'createVerifier',
      '@tenantry/jwt-verify/testing': 'createTestIssuer',
      '@tenantry/jwt-verify/fastify': 'jwtAccess: onFastify',
      '@tenantry/jwt-verify/express': 'jwtAccess: onExpress',
      '@tenantry/jwt-verify/web': 'jwtAccess: onTheWeb',
    },
  },
  envelope: {
    brings: ['@tenantry', 'typebox'],
    program: `
      const { error } = failure(new ApiError('NOT_FOUND', 'works'), 'request-1');
      console.log(SuccessOf(FailureSchema).type === 'object' && error.message);`,
    imports: {
      '@tenantry/envelope': 'ApiError, failure, FailureSchema, SuccessOf',
      '@tenantry/envelope/fastify': 'answerFailures',
    },
  },
  client: {
    brings: ['@tenantry'],
    program: `
      const answered = async () => new Response(JSON.stringify({ code: 'NOT_FOUND', message: 'works' }), { status: 404 });
      const tenantry = createTenantry({ baseUrl: 'http://api.example', tokens: tokensInMemory(), fetch: answered });
      await tenantry.getProfile().catch((error) => console.log(error instanceof TenantryError && error.message));`,
    imports: { '@tenantry/client': 'createTenantry, TenantryError, tokensInMemory' },
  },
} as const;

const packages = new Map<string, PackedPackage>();
beforeAll(async () => {
  for (const library of Object.keys(libraries)) packages.set(library, await packPackage(library));
});
afterAll(() => {
  for (const packed of packages.values()) packed.remove();
});

describe.each(Object.entries(libraries))(
  '@tenantry/%s as it is published',
  (library, { brings, program, imports }) => {
    let packed: PackedPackage;
    beforeAll(() => {
      packed = packages.get(library)!;
    });

    it('brings what it needs into an empty project, and nothing else', () => {
      const names = readdirSync(join(packed.consumer, 'node_modules')).filter(
        (name) => !name.startsWith('.'),
      );
      expect(names.sort()).toEqual(brings);
    });

    it('holds what is built of its source, the source, and what a reader looks for', () => {
      const { files } = packed;
      const sources = files.filter((file) => /^src\/.*\.ts$/.test(file)).map((file) => file.slice(4, -3));
      const built = sources.flatMap((name) => [
        `${name}.js`,
        `${name}.js.map`,
        `${name}.d.ts`,
        `${name}.d.ts.map`,
      ]);
      expect([...files].sort()).toEqual(
        [
          ...['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'],
          ...built.map((name) => `dist/${name}`),
          ...sources.map((name) => `src/${name}.ts`),
        ].sort(),
      );
      expect(sources).toContain('index');
    });

    it('is under the license of the repository, and says where it comes from', () => {
      const { folder, manifest } = packed;
      const license = readFileSync(join(workspaceRoot, 'LICENSE'), 'utf8');
      expect(license).toMatch(/^MIT License/);
      expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(license);
      expect(manifest).toMatchObject({
        license: 'MIT',
        repository: { type: 'git', directory: `libs/${library}` },
        publishConfig: { access: 'public' },
        engines: { node: '>=20.19' },
      });
      expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toContain(`## ${manifest.version}`);
    });

    it('leaves the versions of its dependencies to the project that installs it', () => {
      const { dependencies = {}, peerDependencies = {} } = packed.manifest;
      for (const range of Object.values({ ...dependencies, ...peerDependencies }))
        expect(range).toMatch(/^(\^|>=)\d/);
    });

    it.each(nodes())('is imported and required by plain %s', async (node) => {
      const imported = Object.entries(imports).map(
        ([name, names]) => `import { ${names.replaceAll(':', ' as')} } from '${name}';`,
      );
      const module = ['--input-type=module', '--eval', `${imported.join('\n')}${program}`];
      expect(await run(node, module, packed.consumer)).toBe('works\n');
      const required = Object.entries(imports).map(
        ([name, names]) => `const { ${names} } = require('${name}');`,
      );
      const script = [
        '--input-type=commonjs',
        '--eval',
        `${required.join('\n')}(async () => {${program}})();`,
      ];
      expect(await run(node, script, packed.consumer)).toBe('works\n');
    });

    it('says of each export what it is for', () => {
      const entries = Object.values(packed.manifest.exports).flatMap((entry) =>
        typeof entry === 'string' ? [] : [entry],
      );
      expect(undocumentedExports(entries.map(({ types }) => join(packed.folder, types)))).toEqual([]);
    });

    it('is clean to publint', async () => {
      const { messages, pkg } = await publint({ pkgDir: packed.folder, pack: false, strict: true });
      expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
    });

    it('has types that are not wrong', async () => {
      const profile = ['--profile', 'esm-only', '--no-emoji'];
      await run(join(programs, 'attw'), [packed.tarball, ...profile], packed.folder);
    });
  },
);

describe('@tenantry/jwt-verify in the project of another team', () => {
  let packed: PackedPackage;
  beforeAll(() => {
    packed = packages.get('jwt-verify')!;
  });

  it('typechecks in a strict project', async () => {
    await packed.install(`fastify@${packed.manifest.devDependencies['fastify'] ?? ''}`);
    writeFileSync(
      join(packed.consumer, 'service.ts'),
      `import Fastify from 'fastify';
      import { authorize, can, createVerifier, definePermissions, TokenError, type Identity, type TokenErrorCode } from '@tenantry/jwt-verify';
      import { identityOf, jwtAccess, memberOf } from '@tenantry/jwt-verify/fastify';
      import { createTestIssuer } from '@tenantry/jwt-verify/testing';
      const issuer = await createTestIssuer();
      const verifier = createVerifier({ issuer: issuer.issuer, jwks: issuer.jwks, revocations: false });
      const table = definePermissions({ owner: ['invoices:read'], member: ['invoices:read'] });
      const access = jwtAccess(verifier, { permissions: table });
      const app = Fastify();
      await app.register(access.protect);
      const onRequest = [access.requires('invoices:read'), access.requiresRecentFactor({ maxAgeSeconds: 300 })];
      app.get('/', { onRequest }, async (request): Promise<Identity> => identityOf(request));
      app.get('/organization', { onRequest }, async (request): Promise<string> => memberOf(request).organizationId);
      // @ts-expect-error null where the route is public
      app.get('/public', { config: { public: true } }, async (request) => request.identity.userId);
      export function organizationOf(identity: Identity): string {
        authorize(identity, 'invoices:read', table);
        return identity.organizationId;
      }
      // @ts-expect-error not one of the table
      access.requires('leads:read');
      // @ts-expect-error there is no table
      jwtAccess(verifier).requires('invoices:read');
      const forgotten = { owner: ['invoices:read'], member: ['invoices:read'] };
      // @ts-expect-error TypeScript has forgotten the names of the table
      jwtAccess(verifier, { permissions: forgotten });
      // @ts-expect-error no claim is called that
      await issuer.token({ rol: 'admin' });
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
      export const allowed: boolean = can('member', 'invoices:read', table);
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
      join(programs, 'tsc'),
      [...options, '--ignoreConfig', '--skipLibCheck', 'service.ts'],
      packed.consumer,
    );
  });

  it('is answered in the envelope by plain Fastify, beside its own errors', async () => {
    const fastify = `fastify@${packed.manifest.devDependencies['fastify'] ?? ''}`;
    await packed.install(fastify, packages.get('envelope')!.tarball);
    const program = `
      import Fastify from 'fastify';
      import { ApiError } from '@tenantry/envelope';
      import { answerFailures } from '@tenantry/envelope/fastify';
      import { jwtAccess } from '@tenantry/jwt-verify/fastify';
      import { createTestIssuer } from '@tenantry/jwt-verify/testing';
      const issuer = await createTestIssuer();
      const app = Fastify();
      app.setErrorHandler(answerFailures);
      await app.register(jwtAccess(issuer.verifier()).protect);
      app.get('/taken', async () => { throw new ApiError('CONFLICT', 'This is taken.'); });
      for (const token of [await issuer.expiredToken(), await issuer.token()]) {
        const headers = { authorization: 'Bearer ' + token };
        const { statusCode, json } = await app.inject({ url: '/taken', headers });
        console.log(statusCode, json().data, json().error.code, json().error.reason);
      }`;
    const said = await run(process.execPath, ['--input-type=module', '--eval', program], packed.consumer);
    expect(said).toBe('401 null UNAUTHENTICATED TOKEN_EXPIRED\n409 null CONFLICT undefined\n');
  });

  it('has declarations without an error, those of jose included', async () => {
    writeFileSync(
      join(packed.consumer, 'core.ts'),
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
    await run(join(programs, 'tsc'), [...options, '--ignoreConfig', 'core.ts'], packed.consumer);
  });
});

describe('@tenantry/client in the project of another team', () => {
  let packed: PackedPackage;
  beforeAll(() => {
    packed = packages.get('client')!;
  });

  /** Compiles files of the consumer as strictly as a front end may choose to be. */
  const compile = (...files: readonly string[]) => {
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmit'];
    const target = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom', '--types', ''];
    return run(join(programs, 'tsc'), [...strict, ...target, '--ignoreConfig', ...files], packed.consumer);
  };

  it('compiles every example of its README', async () => {
    const readme = readFileSync(join(packed.folder, 'README.md'), 'utf8');
    const examples = [...readme.matchAll(/```ts\n([^]*?)```/g)].map(([, code = '']) => code);
    expect(examples.length).toBeGreaterThan(4);
    const files = examples.map((code, index) => {
      writeFileSync(join(packed.consumer, `example-${index}.ts`), code);
      return `example-${index}.ts`;
    });
    await compile(...files);
  });

  it('knows what each operation takes, gives and refuses', async () => {
    writeFileSync(
      join(packed.consumer, 'program.ts'),
      `import { createTenantry, isErrorOf, type api, type CodeOf, type ReasonOf } from '@tenantry/client';
      const tenantry = createTenantry();
      export async function nextMoves(id: string): Promise<readonly api.Lead['status'][]> {
        const { data } = await tenantry.getLead({ path: { id } });
        return data.allowedTransitions;
      }
      export async function start(): Promise<string | null> {
        const { data } = await tenantry.getStart();
        return data.status === 'signed-in' ? data.user.name : null;
      }
      export const query = { status: ['won', 'new'], search: undefined } as const;
      await tenantry.listLeads({ query: { status: ['won'], search: undefined, sort: '-createdAt' } });
      await tenantry.signOut();
      const { data } = await tenantry.signInWithEmail({ body: { email: 'a@b.example', password: 'p' } });
      export const challenge: string | undefined = 'challenge' in data ? data.challenge.token : undefined;
      export const code: CodeOf<'createOrganization'> = 'SLUG_TAKEN';
      export const reason: ReasonOf<'CONFLICT'> = 'QUOTE_SENT';
      export const isTaken = (error: unknown) => isErrorOf(error, 'createOrganization') && error.code === 'SLUG_TAKEN';
      // @ts-expect-error tokens stay where they are
      if (!('challenge' in data)) data.session.token;
      // @ts-expect-error no such status
      await tenantry.listLeads({ query: { status: ['gone'] } });
      // @ts-expect-error an id is needed
      await tenantry.getLead();
      // @ts-expect-error a lead has a name
      await tenantry.createLead({ body: { email: 'a@b.example' } });
      // @ts-expect-error not in a list of leads
      export const other: CodeOf<'listLeads'> = 'SLUG_TAKEN';
      // @ts-expect-error no such operation
      await tenantry.listEverything();`,
    );
    await compile('program.ts');
  });
});
