import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import type { ApiDocument } from '../api/document.ts';
import { isRefusal, type Schema } from './described.ts';

/** Writes the types of what operations take and answer, in TypeScript. */
export async function writeTypes(document: ApiDocument): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tenantry-types-'));
  try {
    await createClient({
      input: successesOf(document) as unknown as Record<string, unknown>,
      output: { path: directory, entryFile: false },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent' },
    });
    return await readFile(join(directory, 'types.gen.ts'), 'utf8');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** What the client sends and keeps by itself, so that callers neither pass nor read it. */
const ownOfSessions = ['token', 'refreshToken', 'csrfToken'];

/** The document without refusals, of which the client tells in its own way, and without what it does by itself. */
function successesOf(document: ApiDocument): ApiDocument {
  const { components } = document;
  const schemas = Object.entries(components['schemas'] ?? {})
    .filter(([name]) => !isRefusal(name))
    .map(([name, schema]) => [name, name === 'IssuedSession' ? withoutTokens(schema as Schema) : schema]);
  const paths = mapValues(document.paths, (methods) =>
    mapValues(methods, (operation) => ({
      ...operation,
      parameters: (operation.parameters ?? []).filter((parameter) => parameter.in !== 'header'),
      responses: Object.fromEntries(
        Object.entries(operation.responses).filter(([status]) => status.startsWith('2')),
      ),
    })),
  );
  return {
    ...document,
    paths,
    components: { schemas: Object.fromEntries(schemas) as object },
  } as ApiDocument;
}

function withoutTokens(schema: Schema & { readonly required?: readonly string[] }): Schema {
  const { properties = {}, required = [], ...rest } = schema;
  const kept = Object.entries(properties).filter(([name]) => !ownOfSessions.includes(name));
  return {
    ...rest,
    properties: Object.fromEntries(kept),
    required: required.filter((name) => !ownOfSessions.includes(name)),
  } as Schema;
}

function mapValues<Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
