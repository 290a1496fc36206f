import { nameOf, type Operation } from './operations.ts';
import type { Api, Person } from './people.ts';

/** An entry of a trail. */
export interface TrailEntry {
  readonly action: string;
  readonly actor: {
    readonly kind: string;
    readonly userId: string | null;
    readonly name: string | null;
  } | null;
  readonly target: { readonly type: string; readonly id: string; readonly name: string | null } | null;
}

/** A trail, and somebody who may read it. */
export interface Trail {
  readonly path: `/${string}`;
  readonly reader: Person;
}

/** The trail of the caller's own account. */
export const ownTrail = (reader: Person): Trail => ({ path: '/api/auth/audit', reader });

/** The trail in which the service of an operation records it for an organization: its own, or that of auth-service. */
export function trailOf(
  operation: Operation,
  { api, operations, organizationId, reader }: TrailOptions,
): Trail {
  const path = `${api.services.prefixOf(operation.service)}/audit` as `/${string}`;
  const isKept = operations.some((other) => nameOf(other) === `GET ${path}` && other.access === 'audit:read');
  return { path: isKept ? path : `/api/auth/organization/${organizationId}/audit`, reader };
}

/** Whose trail, read by whom. */
export interface TrailOptions {
  readonly api: Api;
  readonly operations: readonly Operation[];
  readonly organizationId: string;
  readonly reader: Person;
}

/** What a trail was told since a moment. */
export async function entriesSince(api: Api, from: Date, { path, reader }: Trail): Promise<TrailEntry[]> {
  const page = await api.call<{ events?: TrailEntry[]; data?: TrailEntry[] }>(
    `GET ${path}?pageSize=100&from=${from.toISOString()}`,
    undefined,
    reader,
  );
  return page.events ?? page.data ?? [];
}
