import { randomUUID } from 'node:crypto';
import { createTestIssuer, type TestIssuer } from '@tenantry/jwt-verify/testing';
import { createLogger, type Service } from '@tenantry/service-kit';
import { createTestDatabase, testLog, type TestDatabase } from '@tenantry/test-kit';
import type { BindingMode } from '@tenantry/tenancy';
import type { Lead, LeadListItem } from '../../src/leads/lead.ts';
import { expect } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { openDatabase, type Database } from '../../src/database.ts';

/** A lead in an answer. */
export type AnsweredLead = LeadListItem & Pick<Lead, 'notes' | 'updatedAt'>;

/** What any answer of the service may hold; the test knows which part it asked for. */
export interface Body {
  readonly data: AnsweredLead & readonly AnsweredLead[];
  readonly error: { readonly code: string; readonly details: readonly { field: string; message: string }[] };
  readonly meta: { readonly total: number; readonly page: number; readonly pageSize: number } & {
    readonly requestId: string;
    readonly duplicateOf?: string;
  };
}

/** An answer, parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Body;
  readonly text: string;
}

interface Send {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Somebody who calls the service. */
export interface Caller {
  readonly organizationId: string;
  send(method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH', url: string, options?: Send): Promise<Answer>;
}

/** The service on a database of its own. */
export interface TestService {
  readonly app: Service;
  readonly issuer: TestIssuer;
  readonly database: Database;
  readonly testDatabase: TestDatabase;
  /** A member of an organization, a new one unless the claims name one. */
  member(claims?: Readonly<Record<string, unknown>>): Promise<Caller>;
  /** Whoever shows this Authorization header, or none. */
  caller(authorization?: string): Caller;
  close(): Promise<void>;
}

/** How the service is started. */
export interface TestServiceOptions {
  readonly binding?: BindingMode;
  readonly poolSize?: number;
  /** A server of the test's own. */
  readonly adminUrl?: string;
}

export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  const { adminUrl } = options;
  const testDatabase = await createTestDatabase('leads-service', adminUrl === undefined ? {} : { adminUrl });
  const logger = createLogger({ name: 'leads-service', level: 'trace', destination: testLog() });
  const config = {
    DATABASE_URL: testDatabase.runtimeUrl,
    DATABASE_POOL_SIZE: options.poolSize ?? 5,
    TENANT_BINDING: options.binding ?? 'connection',
  };
  const database = openDatabase(config, logger);
  const issuer = await createTestIssuer();
  const app = await buildApp({
    config: { NODE_ENV: 'test', TRUST_PROXY: [] },
    database,
    verifier: issuer.verifier(),
    logger,
    version: '1.2.3',
  });
  const caller = (authorization?: string, organizationId = ''): Caller => ({
    organizationId,
    async send(method, url, { body, headers = {} } = {}) {
      const answer = await app.inject({
        method,
        url,
        headers: { ...(authorization === undefined ? {} : { authorization }), ...headers },
        ...(body === undefined ? {} : { payload: body as object }),
      });
      const parsed = JSON.parse(answer.body || 'null') as Body;
      return { status: answer.statusCode, headers: answer.headers, body: parsed, text: answer.body };
    },
  });
  return {
    app,
    issuer,
    database,
    testDatabase,
    caller,
    async member(claims = {}) {
      const organizationId = (claims['organizationId'] as string | undefined) ?? randomUUID();
      return caller(`Bearer ${await issuer.token({ organizationId, ...claims })}`, organizationId);
    },
    async close() {
      await app.close();
      await issuer.close();
      await testDatabase.drop();
    },
  };
}

/** Creates a lead and gives its id. */
export async function createLead(
  caller: Caller,
  lead: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const answer = await caller.send('POST', '/api/leads', {
    body: { name: 'Ada', email: 'ada@example.com', ...lead },
  });
  if (answer.status !== 201) throw new Error(`not created: ${answer.text}`);
  return answer.body.data.id;
}

/** Moves a lead through several statuses. */
export async function moveLead(caller: Caller, id: string, ...statuses: readonly string[]): Promise<void> {
  for (const status of statuses) {
    const answer = await caller.send('PUT', `/api/leads/${id}`, { body: { status } });
    if (answer.status !== 200) throw new Error(`not moved: ${answer.text}`);
  }
}

/** What a failure says. */
export interface Refused {
  readonly status: number;
  readonly data: unknown;
  readonly code: string;
  readonly fields: readonly string[];
}

export function refusal({ status, body }: Answer): Refused {
  const { data, error } = body;
  return { status, data, code: error.code, fields: error.details.map(({ field }) => field) };
}

/** A refused field. */
export const invalid = (...fields: readonly string[]): Refused => ({
  status: 400,
  data: null,
  code: 'VALIDATION_ERROR',
  fields,
});
export const notFound: Refused = { status: 404, data: null, code: 'NOT_FOUND', fields: [] };

/** Stands for any value that fits, inside an expected answer. */
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
export const timestamp = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
