import { FailureSchema } from '@tenantry/envelope';
import { createTestIssuer } from '@tenantry/jwt-verify/testing';
import { createLogger, type Service } from '@tenantry/service-kit';
import { catalogProblems } from '@tenantry/tenancy';
import { createTestDatabase, testLog, type TestDatabase } from '@tenantry/test-kit';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp } from '../src/app.ts';
import { openDatabase, type Database } from '../src/database.ts';

const name = 'quotation-service';
let testDatabase: TestDatabase;
let database: Database;
let app: Service;

beforeAll(async () => {
  testDatabase = await createTestDatabase(name);
  const logger = createLogger({ name, level: 'trace', destination: testLog() });
  const connection = {
    DATABASE_URL: testDatabase.runtimeUrl,
    DATABASE_POOL_SIZE: 2,
    TENANT_BINDING: 'connection',
  } as const;
  database = openDatabase(connection, logger);
  const issuer = await createTestIssuer();
  const config = { NODE_ENV: 'test' as const, TRUST_PROXY: [] };
  app = await buildApp({ config, database, verifier: issuer.verifier(), logger, version: '1.2.3' });
});
afterAll(async () => {
  await app.close();
  await testDatabase.drop();
});

it('is healthy and ready with its own database', async () => {
  expect((await app.inject('/api/health')).json()).toMatchObject({ status: 'healthy', version: '1.2.3' });
  expect((await app.inject('/api/health/ready')).json()).toMatchObject({ status: 'ready' });
});

it('lets no row out of its tenant by anything in the catalog', async () => {
  expect(await catalogProblems(database.pool)).toEqual([]);
});

it('answers what it does not know in the envelope', async () => {
  const answer = await app.inject('/api/quotation/nothing');
  expect(answer.statusCode).toBe(404);
  expect(Value.Check(FailureSchema, answer.json())).toBe(true);
});

it('describes itself in an OpenAPI 3.1 document', async () => {
  const document = (await app.inject('/api/quotation/openapi.json')).json<{
    openapi: string;
    paths: object;
  }>();
  expect(document.openapi).toBe('3.1.0');
  expect(Object.keys(document.paths)).toContain('/api/health');
});
