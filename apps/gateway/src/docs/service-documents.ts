import type { Address, RouteTable } from '../routing/route-table.ts';
import type { ApiDocument, Part } from './merged-document.ts';

const answerTimeoutMs = 2_000;

/** The documents of all services, each from the first instance that returns it. */
export function readServiceDocuments(routes: RouteTable): Promise<readonly Part[]> {
  const parts = routes.map(async ({ prefix, addresses }) => {
    const answers = addresses.map((address) => readDocument(address, `${prefix}/openapi.json`));
    return { prefix, document: await Promise.any(answers).catch(() => undefined) };
  });
  return Promise.all(parts);
}

async function readDocument({ origin }: Address, path: string): Promise<ApiDocument> {
  const response = await fetch(origin + path, {
    signal: AbortSignal.timeout(answerTimeoutMs),
    redirect: 'error',
  });
  const document = (await response.json()) as Partial<ApiDocument> | null;
  if (!response.ok || !document?.paths || !document.components) throw new Error(`${path} is no document`);
  return document as ApiDocument;
}
