import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { discoverServices, type ServiceDescription } from '../services.ts';

/** The OpenAPI document of all services, as far as the tools read it. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An operation of it. */
export interface ApiOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
  /** Whom it lets in; absent from public operations. */
  readonly 'x-access'?: string;
}

/** What an operation takes beside its body. */
export interface ApiParameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
}

interface Merging {
  readonly mergeDocuments: (own: ApiDocument, parts: readonly Part[]) => ApiDocument;
}

interface Part {
  readonly prefix: string;
  readonly document: ApiDocument;
}

/** The document that the gateway answers at /docs/openapi.json, made of the sources as they are. */
export async function describeApi(workspaceRoot: string): Promise<ApiDocument> {
  const described = await Promise.all(
    discoverServices(workspaceRoot).map(async (service) => ({
      service,
      document: await documentOf(service),
    })),
  );
  const gateway = described.find(({ service }) => service.prefix === undefined);
  if (!gateway) throw new Error('discoverServices makes sure that there is one');
  const parts = described.flatMap(({ service: { prefix }, document }) =>
    prefix === undefined ? [] : [{ prefix, document }],
  );
  const merging = join(gateway.service.directory, 'src/docs/merged-document.ts');
  const { mergeDocuments } = (await import(pathToFileURL(merging).href)) as Merging;
  return mergeDocuments(
    gateway.document,
    parts.toSorted((a, b) => a.prefix.localeCompare(b.prefix)),
  );
}

const run = promisify(execFile);
const documentBytesMax = 16 * 1024 * 1024;

/** Each in a process of its own: no two services know each other's statements. */
async function documentOf({ name }: ServiceDescription): Promise<ApiDocument> {
  const program = join(import.meta.dirname, 'service-document.ts');
  const args = ['--conditions=@tenantry/source', program, name];
  const { stdout } = await run(process.execPath, args, { maxBuffer: documentBytesMax });
  return JSON.parse(stdout) as ApiDocument;
}
