import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { describe, expect, it } from 'vitest';
import { complaintsAbout, eslint } from './support/eslint.ts';

const authService = 'apps/auth-service/src';
const boundaries = '@nx/enforce-module-boundaries';
const imports = 'no-restricted-imports';

describe('a forbidden import fails the lint, and the message teaches', () => {
  it.each([
    [
      'a service reaches into another service by path',
      'apps/leads-service/src/service.ts',
      '../../users-service/src/app.ts',
      boundaries,
    ],
    [
      'a service reaches into another service by name',
      'apps/leads-service/src/service.ts',
      '@tenantry/users-service',
      'Services talk by HTTP and token',
    ],
    [
      'a library reaches into a service',
      'libs/tenancy/src/database.ts',
      '../../../apps/leads-service/src/service.ts',
      boundaries,
    ],
    [
      'the contract reaches into the platform',
      'libs/envelope/src/errors.ts',
      '@tenantry/service/http',
      boundaries,
    ],
    [
      'a published library reaches into another',
      'libs/jwt-verify/src/requests/access.ts',
      '@tenantry/envelope',
      boundaries,
    ],
    [
      'what the gateway is built of knows the database',
      'libs/service/src/http/service.ts',
      '../work/outbox.ts',
      'knows only the files of the folders below it',
    ],
    [
      'what the gateway is built of reads rows',
      'libs/service/src/failures/database-faults.ts',
      '@tenantry/tenancy',
      'The gateway loads this folder and has no database',
    ],
    [
      'what all services are built of knows business services',
      'libs/service/src/definition/build.ts',
      '../business/features.ts',
      'knows only the files of the folders below it',
    ],
    [
      'a folder of a library knows another on its own floor',
      'libs/service/src/definition/build.ts',
      '../tenants/tenants.ts',
      'knows only the files of the folders below it',
    ],
    [
      'a folder of a library enters another by what it offers to services',
      'libs/service/src/work/worker.ts',
      '../http/index.ts',
      'knows only the files of the folders below it',
    ],
    [
      'what tenants are kept apart by knows services',
      'libs/tenancy/src/pool.ts',
      '@tenantry/service/http',
      boundaries,
    ],
    [
      'a library that runs in production uses the development database',
      'libs/service/src/settings/config.ts',
      '@tenantry/dev-database',
      boundaries,
    ],
    [
      'the development database knows a library',
      'libs/dev-database/src/databases.ts',
      '@tenantry/tenancy',
      boundaries,
    ],
    [
      'production code uses the test kit',
      'apps/leads-service/src/service.ts',
      '@tenantry/test-kit',
      'never run in production',
    ],
    [
      'production code judges SQL',
      'apps/leads-service/src/service.ts',
      '@tenantry/sql-check/catalog',
      'never run in production',
    ],
    [
      'a rule knows HTTP',
      'apps/leads-service/src/leads/leads.ts',
      'fastify',
      'Domain code knows neither HTTP nor SQL',
    ],
    [
      'a rule knows HTTP by the platform',
      'apps/leads-service/src/leads/leads.ts',
      '@tenantry/service/http',
      'Domain code knows neither HTTP nor SQL',
    ],
    [
      'a rule knows SQL',
      'apps/leads-service/src/leads/leads.ts',
      'pg',
      'Domain code knows neither HTTP nor SQL',
    ],
    [
      'a route knows SQL',
      'apps/leads-service/src/leads/leads.routes.ts',
      'pg',
      'stays behind the repository',
    ],
    [
      'a feature reaches into another feature’s repository',
      'apps/auth-service/src/sessions/sessions.ts',
      '../audit/audit.repository.ts',
      'never through its repository',
    ],
    [
      'the application reaches into a wing',
      'apps/auth-service/src/service.ts',
      './sessions/endings.ts',
      'A wing is entered by its door',
    ],
    [
      'a wing reaches into another',
      'apps/auth-service/src/accounts/emails.ts',
      '../sessions/endings.ts',
      'A wing is entered by its door',
    ],
    [
      'a room of a wing reaches into another wing',
      'apps/auth-service/src/sign-in/second-factors/judging.ts',
      '../../sessions/endings.ts',
      'A wing is entered by its door',
    ],
    [
      'a room within a room of a wing reaches into another wing',
      'apps/auth-service/src/sign-in/methods/passwords/passwords.ts',
      '../../../ground/secrets/auth-secret.ts',
      'A wing is entered by its door',
    ],
    [
      'a wing knows one above it',
      'apps/auth-service/src/sessions/sessions.ts',
      '../sign-in/index.ts',
      'A wing knows only the wings below it',
    ],
    [
      'a room of a wing knows a wing above it',
      'apps/auth-service/src/tokens/revocations/revocations.ts',
      '../../sessions/index.ts',
      'A wing knows only the wings below it',
    ],
    [
      'a wing knows another on its own floor',
      'apps/auth-service/src/audit/audit.ts',
      '../events/index.ts',
      'A wing knows only the wings below it',
    ],
    [
      'a wing knows what puts the wings together',
      'apps/auth-service/src/ground/health/health.routes.ts',
      '../../service.ts',
      'A wing knows only the wings below it',
    ],
    [
      'a rule in a room of a wing reaches into another repository',
      'apps/auth-service/src/sign-in/methods/passwords/passwords.ts',
      '../../lockout/lockout.repository.ts',
      'never through its repository',
    ],
    [
      'a rule in a room of a wing knows SQL',
      'apps/auth-service/src/sign-in/second-factors/judging.ts',
      'pg',
      'Domain code knows neither HTTP nor SQL',
    ],
    [
      'a route in a room of a wing knows SQL',
      'apps/auth-service/src/organizations/members/members.routes.ts',
      'pg',
      'stays behind the repository',
    ],
  ])('%s', async (_case, file, specifier, complaint) => {
    const complaints = await complaintsAbout(file, `import * as forbidden from '${specifier}';`);
    expect(complaints).toContain(complaint);
    expect(complaints).toMatch(new RegExp(`${boundaries}|${imports}`));
  });

  it('has every folder of auth-service behind a door', async () => {
    const wings = await readdir(join(workspaceRoot, authService), { withFileTypes: true });
    const folders = wings.filter((wing) => wing.isDirectory() && wing.name !== 'generated');
    for (const { name } of folders) {
      const inside = `../${name}/anything.ts`;
      const neighbour = name === 'ground' ? 'audit' : 'ground';
      const complaints = await complaintsAbout(
        `${authService}/${neighbour}/index.ts`,
        `import * as forbidden from '${inside}';`,
      );
      expect(`${name}: ${complaints}`).toContain('A wing is entered by its door');
    }
    expect(folders).toHaveLength(11);
  });

  it('has every folder of libs/service on a floor', async () => {
    const source = 'libs/service/src';
    const folders = await readdir(join(workspaceRoot, source), { withFileTypes: true });
    for (const { name } of folders.filter((folder) => folder.isDirectory())) {
      const [file] = await readdir(join(workspaceRoot, source, name));
      const complaints = await complaintsAbout(
        `${source}/${name}/${file}`,
        "import * as forbidden from '../business/index.ts';",
      );
      expect(`${name}: ${complaints}`).toContain('knows only the files of the folders below it');
    }
  });

  it('a file other than main.ts touches process', async () => {
    const complaints = await complaintsAbout(
      'apps/leads-service/src/service.ts',
      'export const home = process.env;',
    );
    expect(complaints).toContain('Only main.ts touches process');
  });

  it('a statement is defined without the types that PostgreSQL tells', async () => {
    const complaints = await complaintsAbout(
      'apps/leads-service/src/leads/leads.repository.ts',
      "import { statement } from '@tenantry/tenancy'; export const statements = [statement];",
    );
    expect(complaints).toContain('the types that PostgreSQL tells');
  });

  it.each([
    ['a call past callService', "export const answer = fetch('http://127.0.0.1');"],
    ['another client of HTTP', "import { request } from 'undici';"],
    ['HTTP of Node.js', "import { createServer, request } from 'node:http';"],
    ['mail past the outbox', "import { createTransport } from 'nodemailer';"],
    ['Redis past the limits', "import { Redis } from 'ioredis';"],
    ['a socket', "import { connect } from 'node:net';"],
  ])('%s', async (_case, line) => {
    const complaints = await complaintsAbout('apps/quotation-service/src/service.ts', line);
    expect(complaints).toContain('refuse to wait for the network inside a transaction');
  });

  it.each([
    [
      'a logger under test that writes to an unobserved stream',
      "createLogger({ name: 'x', level: 'info' });",
    ],
    ['a logger under test that writes nothing', "createLogger({ level: 'silent', destination: testLog() });"],
  ])('%s', async (_case, line) => {
    const complaints = await complaintsAbout('apps/leads-service/test/support/service.ts', line);
    expect(complaints).toContain('npm test searches its lines for secrets');
  });

  it.each([
    [
      'a promise',
      'libs/jwt-verify/src/requests/access.ts',
      'export const is = (it: unknown) => it instanceof Promise;',
    ],
    ['an error', 'libs/envelope/src/errors.ts', 'export const is = (it: unknown) => it instanceof Error;'],
    [
      'a request, by its class',
      'libs/jwt-verify/src/web.ts',
      'export const is = (it: object) => it.constructor === Request;',
    ],
  ])('what is published asks whether it has got %s of its own realm', async (_case, file, line) => {
    expect(await complaintsAbout(file, line)).toContain('may be of another realm');
  });

  it('the same files pass as they are', async () => {
    const results = await eslint.lintFiles([
      'apps/leads-service/src/service.ts',
      'apps/leads-service/src/leads/leads.ts',
      'apps/leads-service/test/support/service.ts',
      'libs/{jwt-verify,envelope}/src/**/*.ts',
    ]);
    expect(results.flatMap(({ messages }) => messages)).toEqual([]);
  });
});
