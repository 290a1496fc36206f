import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@tenantry/dev-database';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

const run = promisify(execFile);
const compiler = join(workspaceRoot, 'node_modules/@typescript/native/bin/tsc');

/** As strict as a front end may choose to be. */
const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
  noEmit: true,
  target: 'ES2023',
  module: 'ESNext',
  moduleResolution: 'Bundler',
  allowImportingTsExtensions: true,
  types: [],
};

/**
 * Generates the types of a client from an OpenAPI document as `api.ts` and compiles a program that uses them.
 *
 * @returns what the compiler says, one line for each error; nothing when all is well.
 */
export async function compileClient(document: object, program: string): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'tenantry-client-'));
  try {
    const files = {
      'api.ts': astToString(await openapiTS(structuredClone(document) as OpenAPI3)),
      'client.ts': program,
      'tsconfig.json': JSON.stringify({ compilerOptions, files: ['client.ts'] }),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
    await run(process.execPath, [compiler, '--project', directory, '--pretty', 'false']);
    return [];
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    if (!stdout) throw error;
    return stdout.trim().split('\n');
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
