import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';

/** As strict as a front end may choose to be. */
const options: ts.CompilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  types: [],
};

/**
 * Generates the types of a client from an OpenAPI document as `api.ts` and compiles a program that uses them.
 *
 * @returns what the compiler says; nothing when all is well.
 */
export async function compileClient(document: object, program: string): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'tenantry-client-'));
  try {
    const files = {
      'api.ts': astToString(await openapiTS(structuredClone(document) as OpenAPI3)),
      'client.ts': program,
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
    const compiled = ts.createProgram([join(directory, 'client.ts')], options);
    return ts
      .getPreEmitDiagnostics(compiled)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
