import { workspaceRoot } from '@tenantry/dev-database';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeApi, type ApiDocument, type ApiOperation } from '../src/api/document.ts';

let document: ApiDocument;
beforeAll(async () => {
  document = await describeApi(workspaceRoot);
});

const operations = (): ApiOperation[] =>
  Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** Every schema of the document, however deep. */
function* schemasIn(part: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (typeof part !== 'object' || part === null) return;
  if (!Array.isArray(part)) yield part as Readonly<Record<string, unknown>>;
  for (const value of Object.values(part)) yield* schemasIn(value);
}

describe('the document of all services', () => {
  it('names each operation once, without the name of its service', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids).toEqual(
      expect.arrayContaining([
        ...['getProfile', 'updateProfile', 'deleteAccount', 'getUser', 'updateUser', 'deleteUser'],
        ...['listOrganizationAuditEvents', 'listLeadAuditEvents', 'listQuotationAuditEvents'],
      ]),
    );
    expect(ids.filter((id) => /^(?:auth|users|leads|quotation)[A-Z]/.test(id))).toEqual([]);
  });

  it('has every business operation say which organization a request may mean', () => {
    const silent = Object.entries(document.paths)
      .filter(([path]) => !path.startsWith('/api/auth/'))
      .flatMap(([, methods]) => Object.values(methods))
      .filter(({ 'x-access': access = 'public' }) => access.includes(':'))
      .filter(({ parameters = [] }) => !parameters.some(({ name }) => name === 'Expected-Organization'));
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
  });

  it.each(['role', 'rule', 'reason'])('has a closed set behind every %s', (name) => {
    const open = [...schemasIn(document)].flatMap(({ properties }) => {
      const schema = (properties as Record<string, Schema> | undefined)?.[name];
      return schema === undefined || isClosed(schema) ? [] : [schema.examples];
    });
    // Why a customer declines, and has declined, and why a service is not ready, are sentences.
    const sentences = ['Too late for this year.', 'Too late for this year.', 'the database is not reachable'];
    expect(open).toEqual(name === 'reason' ? sentences.map((sentence) => [sentence]) : []);
  });
});

interface Schema {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly examples?: unknown;
  readonly anyOf?: readonly Schema[];
}

const isClosed = (schema: Schema): boolean =>
  'enum' in schema ||
  'const' in schema ||
  schema.type === 'null' ||
  schema.anyOf?.every((part) => isClosed(part)) === true;
