import type { Address } from '../routing/route-table.ts';

/** GETs a JSON document from one instance of a service. No redirect is followed. */
export async function getJson(
  { origin }: Address,
  path: string,
  timeoutMs: number,
): Promise<{ ok: boolean; body: unknown }> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(origin + path, { signal, redirect: 'error' });
  return { ok: response.ok, body: await response.json() };
}
