/** Ranges between ids, both ends excluded. */
export interface Arcs {
  readonly lows: readonly string[];
  readonly highs: readonly string[];
}

const lowest = '00000000-0000-0000-0000-000000000000';
const highest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * The ring of all UUIDs from after `last` round to `last` itself, without some ids: each range is found in an index by its
 * ends, whatever is stored for the excluded ids.
 */
export function arcsOf(last: string, without: readonly string[]): Arcs {
  const sorted = without.toSorted();
  const ahead = sorted.filter((id) => id > last);
  const behind = sorted.filter((id) => id < last);
  const isLastWithout = sorted.includes(last);
  return {
    lows: [last, ...ahead, lowest, ...behind],
    highs: [...ahead, highest, ...behind, isLastWithout ? last : successorOf(last)],
  };
}

function successorOf(id: string): string {
  const number = BigInt(`0x${id.replaceAll('-', '')}`) + 1n;
  const digits = number.toString(16).padStart(32, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
