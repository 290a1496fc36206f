import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { permissions } from '@tenantry/contracts';
import { discoverServices } from '../src/services.ts';
import { checkoutRoot } from './support/checkout.ts';

it('some route or rule asks for every permission', () => {
  const files = globSync(['apps/*-service/src/**/*.ts', 'libs/service/src/**/*.ts'], {
    cwd: checkoutRoot,
  });
  const text = files.map((file) => readFileSync(join(checkoutRoot, file), 'utf8')).join('');
  expect(permissions.owner.filter((permission) => !text.includes(`'${permission}'`))).toEqual([]);
});

describe('discoverServices', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'tenantry-services-'));
    await makeApp('gateway', { port: 8080, gateway: true });
  });
  afterEach(() => rm(root, { recursive: true }));

  const makeApp = async (name: string, tenantry: object | undefined) => {
    await mkdir(join(root, 'apps', name), { recursive: true });
    await writeFile(join(root, 'apps', name, 'package.json'), JSON.stringify({ name, tenantry }));
  };

  it('finds the services of this checkout on the ports of the contract', () => {
    const ports = Object.fromEntries(discoverServices(checkoutRoot).map(({ name, port }) => [name, port]));
    expect(ports).toMatchObject({
      gateway: 8080,
      'auth-service': 3000,
      'leads-service': 3001,
      'users-service': 3002,
      'quotation-service': 3003,
    });
  });

  it('finds in each business service a reader of deleted organizations, and a test that no data of them is left', () => {
    const business = discoverServices(checkoutRoot).filter(
      ({ name, prefix, hasDatabase }) => hasDatabase && prefix !== undefined && name !== 'auth-service',
    );
    expect(business.length).toBeGreaterThan(2);
    for (const { name, directory } of business) {
      const read = (pattern: string) =>
        globSync(pattern, { cwd: directory }).map((file) => readFileSync(join(directory, file), 'utf8'));
      expect(read('prisma/schema.prisma').join(''), name).toContain('model OrganizationEnd ');
      expect(read('src/*.ts').join(''), name).toContain('new EventReader(');
      expect(read('test/**/*.ts').join(''), name).toContain('organizationEndTests(');
    }
  });

  it('finds a new service by its package.json, and its database by its schema', async () => {
    await makeApp('invoices-service', { port: 3004, prefix: '/api/invoices', secrets: ['SIGNING_SECRET'] });
    await mkdir(join(root, 'apps/invoices-service/prisma'));
    await writeFile(join(root, 'apps/invoices-service/prisma/schema.prisma'), '');
    expect(discoverServices(root)).toContainEqual({
      name: 'invoices-service',
      directory: join(root, 'apps/invoices-service'),
      port: 3004,
      prefix: '/api/invoices',
      secrets: ['SIGNING_SECRET'],
      hasDatabase: true,
    });
  });

  it('says what to write where the entry is missing', async () => {
    await makeApp('invoices-service', undefined);
    expect(() => discoverServices(root)).toThrow(
      'apps/invoices-service/package.json needs its entry, like "tenantry": { "port": 3004, "prefix": "/api/invoices" }.',
    );
  });

  it('takes exactly one gateway', async () => {
    await makeApp('other-gateway', { port: 8081, gateway: true });
    expect(() => discoverServices(root)).toThrow('Exactly one package');
  });
});
