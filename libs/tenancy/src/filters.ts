/** Every choice of some items, in their order: a statement for each set of filters lets PostgreSQL plan for what is asked. */
export function everySubset<Item>([first, ...rest]: readonly Item[]): Item[][] {
  if (first === undefined) return [[]];
  const without = everySubset(rest);
  return [...without, ...without.map((some) => [first, ...some])];
}

/** A period of ISO 8601 timestamps, open at an end that is absent. */
export interface Period {
  /** Included. */
  readonly from?: string;
  /** Excluded. */
  readonly to?: string;
}

const firstId = '00000000-0000-0000-0000-000000000000';
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Between which ids the rows of a period lie: ids are UUIDs of version 7, which begin with the moment (RFC 9562, 5.7). */
export function idsWithin({ from, to }: Period): [fromId: string, toId: string] {
  return [from === undefined ? firstId : firstIdOf(from), to === undefined ? lastId : firstIdOf(to)];
}

function firstIdOf(timestamp: string): string {
  const ms = Math.max(0, Math.ceil(Date.parse(timestamp)));
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** The moment of an id of version 7. */
export const momentOf = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
