import type { PageQuery } from '../ground/index.ts';

/** Which page of which entries of a trail. */
export interface AuditQuery extends PageQuery {
  readonly action?: string;
  readonly actorUserId?: string;
  readonly targetId?: string;
  /** ISO 8601, included. */
  readonly from?: string;
  /** ISO 8601, excluded. */
  readonly to?: string;
}

const firstId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Between which ids the entries of a period lie: these are UUIDs of version 7, which begin with the moment. */
export function boundsOf({ from, to }: Pick<AuditQuery, 'from' | 'to'>): [fromId: string, toId: string] {
  return [from === undefined ? firstId : idAt(from), to === undefined ? lastId : idAt(to)];
}

/** The first id of a moment (RFC 9562, 5.7). */
function idAt(timestamp: string): string {
  const ms = Math.max(0, Math.ceil(Date.parse(timestamp)));
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Every choice of some items, in their order: one statement for each, so that the planner knows what is asked for. */
export function everySubset<Item>([first, ...rest]: readonly Item[]): Item[][] {
  if (first === undefined) return [[]];
  const without = everySubset(rest);
  return [...without, ...without.map((some) => [first, ...some])];
}
