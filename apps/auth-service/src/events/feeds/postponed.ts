import type { Behind } from './cursor.ts';
import type { Entry, Extract } from './feed.repository.ts';

/**
 * The organizations that a reader postpones. Its cursor keeps the place of each, so that nothing of them is lost or sent out of
 * order: their entries come with the first page for which it no longer postpones them.
 */
export class Postponed {
  readonly #ids: ReadonlySet<string>;
  /** Where each stands that was behind before. */
  readonly #places = new Map<string, string>();

  constructor(ids: readonly string[], behind: Behind | undefined) {
    this.#ids = new Set(ids);
    for (const id of this.#ids) {
      const place = behind?.organizations.get(id);
      if (place !== undefined) this.#places.set(id, place);
    }
  }

  /** Those that are behind and are not postponed. */
  without(behind: Behind | undefined): Behind | undefined {
    const others = [...(behind?.organizations ?? [])].filter(([id]) => !this.#ids.has(id));
    return behindOf(new Map(others), behind?.everyone);
  }

  /** Leaves the postponed entries of an extract behind. */
  leave({ entries, place, behind }: Extract): Extract {
    if (this.#ids.size === 0) return { entries, place, behind };
    const organizations = new Map(behind?.organizations);
    for (const entry of entries) {
      const id = organizationOf(entry);
      if (!this.#ids.has(id)) continue;
      organizations.set(id, lesser(organizations.get(id), String(BigInt(entry.id) - 1n)));
    }
    for (const [id, before] of this.#places) organizations.set(id, before);
    return {
      entries: entries.filter((entry) => !this.#ids.has(organizationOf(entry))),
      place,
      behind: behindOf(organizations, behind?.everyone),
    };
  }
}

const organizationOf = ({ value }: Entry): string =>
  'organizationId' in value ? String(value.organizationId) : '';

const lesser = (one: string | undefined, other: string): string =>
  one === undefined || BigInt(other) < BigInt(one) ? other : one;

const behindOf = (organizations: Behind['organizations'], everyone: Behind['everyone']): Behind | undefined =>
  organizations.size === 0 && !everyone ? undefined : { organizations, everyone };
