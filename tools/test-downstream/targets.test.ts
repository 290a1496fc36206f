import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestIssuer, type TestClaims, type TestIssuer } from '@tenantry/jwt-verify/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packPackage, run, type PackedPackage } from '../test/support/packed-package.ts';
import { Project } from './targets/project.ts';
import { blockNamed, sampleUnder, tableOfTargets, writeTableOfTargets } from './targets/readme.ts';
import { targets, type Target } from './targets/targets.ts';

/** npm, compilers and next build take their time on a busy machine. */
const slow = { timeout: 120_000 };
const written = process.env['UPDATE_README'] === '1';

let packed: PackedPackage;
let issuer: TestIssuer;
const projects = new Map<string, { project: Project; origin: string }>();
/** What the table says of each target, column by column. */
const rows = new Map<string, (string | number)[]>();

beforeAll(async () => {
  issuer = await createTestIssuer({ server: true });
  packed = await packPackage('jwt-verify');
});
afterAll(async () => {
  for (const { project } of projects.values()) await project.remove();
  packed.remove();
  await issuer.close();
});

const projectOf = ({ project, title }: Target) => project ?? title;

/** Makes the project of a target and starts it, unless another target has. */
async function start(target: Target): Promise<void> {
  if (projects.has(projectOf(target))) return;
  const project = await Project.create(target, packed.tarball);
  projects.set(projectOf(target), { project, origin: '' });
  const REVOCATIONS_URL = issuer.server?.revocationsUrl ?? '';
  const origin = await project.start({ AUTH_URL: issuer.issuer, REVOCATIONS_URL });
  projects.set(projectOf(target), { project, origin });
}

function running(target: Target): { project: Project; origin: string } {
  const started = projects.get(projectOf(target));
  if (started === undefined) throw new Error(`${target.title} was not started`);
  return started;
}

/** Asks for the report of a target, as the owner of an organization unless told otherwise. */
async function ask(target: Target, token: string | undefined, method = 'GET') {
  const { origin } = running(target);
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(origin + (target.path ?? '/report'), { method, headers });
  const text = await response.text();
  const body = (text.startsWith('{') ? JSON.parse(text) : { text }) as Record<string, unknown>;
  return { status: response.status, challenge: response.headers.get('www-authenticate'), ...body };
}

const owner: TestClaims = { role: 'owner', organizationId: 'organization-1' };
const now = () => Math.floor(Date.now() / 1000);

const named = targets.map((target) => [target.title, target] as const);

describe.each(named)('%s', slow, (_title, target) => {
  const sample = sampleUnder(target.sample);
  beforeAll(async () => {
    await start(target);
    rows.set(target.title, [sample.lines, await running(target).project.addedKilobytes()]);
  });
  const note = ({ status }: { status: number }) => rows.get(target.title)?.push(status);

  it('lets a member in who may read reports', async () => {
    const answer = await ask(target, await issuer.token(owner));
    expect(answer).toMatchObject({ status: 200, organizationId: 'organization-1' });
  });

  it('lets a program in whose key may read reports, and no other', async () => {
    const may = (claims: TestClaims) => issuer.serviceToken({ organizationId: 'organization-1', ...claims });
    const scoped = await ask(target, await may({ base: 'admin', scope: 'leads:read reports:read' }));
    expect(scoped).toMatchObject({ status: 200, organizationId: 'organization-1' });
    for (const claims of [
      { base: 'admin', scope: 'leads:read' },
      { base: 'member', scope: '*' },
    ]) {
      expect(await ask(target, await may(claims))).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    }
  });

  it('refuses a request without a token', async () => {
    const answer = await ask(target, undefined);
    expect(answer).toEqual({
      status: 401,
      challenge: 'Bearer',
      code: 'UNAUTHENTICATED',
      message: 'Sign in: send an access token as a bearer token.',
      reason: 'TOKEN_MISSING',
    });
    note(answer);
  });

  it('refuses an expired token', async () => {
    const answer = await ask(target, await issuer.expiredToken(owner));
    expect(answer).toMatchObject({ status: 401, code: 'UNAUTHENTICATED', reason: 'TOKEN_EXPIRED' });
    expect(answer.challenge).toContain('error="invalid_token"');
    note(answer);
  });

  it('refuses a token for others, and one that is none', async () => {
    for (const token of [await issuer.token({ ...owner, aud: 'others' }), 'no.token.atall']) {
      expect(await ask(target, token)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    }
  });

  it('refuses a revoked token that it has accepted before', async () => {
    const claims = { ...owner, sid: `session of ${target.title}` };
    const token = await issuer.token(claims);
    expect(await ask(target, token)).toMatchObject({ status: 200 });
    issuer.revoke({ kind: 'session', sid: claims.sid, until: now() + 900 });
    const status = async () => (await ask(target, token)).status;
    await expect.poll(status).toBe(401);
    const answer = await ask(target, token);
    expect(answer).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'TOKEN_REVOKED' });
    note(answer);
  });

  it('refuses a member whose role lacks the permission', async () => {
    const answer = await ask(target, await issuer.token({ role: 'member' }));
    expect(answer).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect(answer.challenge).toContain('error="insufficient_scope"');
    note(answer);
  });

  if (sample.files['service.ts']?.includes("'/health'") || target.sample === 'Nest') {
    it('is public where it says so, and nowhere else', async () => {
      const { origin } = running(target);
      expect(await (await fetch(`${origin}/health`)).json()).toEqual({ status: 'healthy' });
      expect((await fetch(`${origin}/elsewhere`)).ok).toBe(false);
    });

    it('does not start without its variables, and says why', async () => {
      const { project } = running(target);
      const complaint = await project.complaint();
      expect(complaint).toMatch(/^1 /);
      expect(complaint).toContain('issuer is "": give the address of the auth service');
      expect(complaint).toContain('revocations is "": give the URL of the revocation feed');
    });
  }

  if (!['Nest', 'Next.js'].includes(target.sample)) {
    it('is a service in twenty lines', () => {
      expect(sample.lines).toBeLessThanOrEqual(20);
    });
  }

  if (target.sample === 'Fastify') {
    it('asks for a recent factor', async () => {
      const signedIn = { ...owner, sub: 'user-1', amr: ['pwd', 'otp'] };
      const old = await ask(target, await issuer.token({ ...signedIn, auth_time: now() - 400 }), 'DELETE');
      expect(old).toMatchObject({
        code: 'INSUFFICIENT_USER_AUTHENTICATION',
        reason: 'SECOND_FACTOR_REQUIRED',
      });
      const recent = await ask(target, await issuer.token({ ...signedIn, auth_time: now() - 10 }), 'DELETE');
      expect(recent).toMatchObject({ status: 200, deletedBy: 'user-1' });
    });
  }

  if (target.title === 'Next.js 16, middleware') {
    it('guards what is behind it, which asks nothing itself', async () => {
      const behind = { ...target, path: '/account/open' };
      expect(await ask(behind, await issuer.token())).toMatchObject({ text: 'behind the middleware' });
      expect(await ask(behind, await issuer.expiredToken())).toMatchObject({ reason: 'TOKEN_EXPIRED' });
    });
  }
});

describe('when nothing has been heard from the auth service for 30 s', slow, () => {
  beforeAll(async () => {
    await issuer.server?.stop();
    await sleep(31_000);
  });

  it.each(named)('%s continues reads, and stops writes', async (_title, target) => {
    const read = await ask(target, await issuer.token(owner));
    const write = await ask(target, await issuer.token(owner), 'DELETE');
    expect(read).toMatchObject({ status: 200, organizationId: 'organization-1' });
    expect(write).toMatchObject({
      status: 503,
      code: 'UPSTREAM_UNAVAILABLE',
      reason: 'REVOCATIONS_UNAVAILABLE',
    });
    rows.get(target.title)?.push(`${read.status} / ${write.status}`);
  });
});

describe('the table of the README', () => {
  it('says what was found here; UPDATE_README=1 writes it', () => {
    const columns = ['target', 'lines', 'kB', 'no token', 'expired', 'revoked', 'wrong role', 'feed down'];
    const lines = [
      columns,
      columns.map(() => '---'),
      ...[...rows].map(([title, cells]) => [title, ...cells]),
    ];
    const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
    if (written) writeTableOfTargets(table);
    expect(plain(tableOfTargets())).toBe(plain(table));
  });
});

/** Without the padding of columns. */
const plain = (table: string) => table.replaceAll(/ +/g, ' ').replaceAll(/-+/g, '-');

describe('Jest', slow, () => {
  it('runs the tests of a service in CommonJS with the configuration of the README', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-jest-'));
    const files = {
      'package.json': JSON.stringify({ private: true }),
      'jest.config.js': blockNamed('jest.config.js'),
      'access.test.ts': `
        import { authenticate, TokenError } from '@tenantry/jwt-verify';
        import { jwtAccess } from '@tenantry/jwt-verify/express';
        import { createTestIssuer } from '@tenantry/jwt-verify/testing';

        test('a revoked token', async () => {
          const issuer = await createTestIssuer();
          const verifier = issuer.verifier();
          expect(jwtAccess(verifier).protect).toHaveLength(3);
          const request = { headers: { authorization: 'Bearer ' + (await issuer.token({ sub: 'user-1' })) } };
          expect((await authenticate(verifier, request)).userId).toBe('user-1');
          await expect(verifier.verify(await issuer.revokedToken())).rejects.toThrow(TokenError);
        });`,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const packages = ['jest@30.5.2', '@swc/jest@0.2.39', '@swc/core@1.16.22'];
    const flags = ['--prefer-offline', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...flags, packed.tarball, ...packages], folder);
    await run(process.execPath, [join(folder, 'node_modules/.bin/jest')], folder);
    rmSync(folder, { recursive: true });
  });
});
