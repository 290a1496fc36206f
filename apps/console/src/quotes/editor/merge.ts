import {
  endingBlank,
  headFields,
  isBlank,
  lineFields,
  packageFields,
  type Draft,
  type DraftCustomer,
  type DraftLine,
  type DraftPackage,
  type IsSame,
} from './draft.ts';
import { idsOf, isSameOrder } from './steps.ts';

/** Something that two people changed at once: both is shown, and one of them decides. */
export interface Conflict {
  /** The key of a line or a package; of the head, its field. */
  readonly at: string;
  /** `deleted` there and changed here; `restored`: deleted here and changed there; `order`: moved here and there. */
  readonly kind: 'field' | 'deleted' | 'restored' | 'order';
  readonly field?: string | undefined;
  readonly mine?: string | undefined;
  readonly theirs?: string | undefined;
  readonly theirCustomer?: DraftCustomer | undefined;
}

/** What somebody typed, and what was saved by somebody else meanwhile. */
export interface Versions {
  /** What was last known to be saved; the second one where a request may have been done whose answer was lost. */
  readonly bases: readonly [Draft, ...Draft[]];
  readonly mine: Draft;
  readonly theirs: Draft;
  readonly isSame: IsSame;
}

/** What to type on, and what has to be decided. */
export interface Merged {
  readonly draft: Draft;
  readonly conflicts: readonly Conflict[];
}

/** Joins what two people did to a quote: where one of them changed a field, theirs is taken; where both did, both are shown. */
export function merge({ bases, mine, theirs, isSame }: Versions): Merged {
  const merging = new Merging(isSame);
  const head = merging.fields({ fields: headFields, bases, mine, theirs });
  const packages = merging.packages(
    bases.map((base) => base.packages),
    mine.packages,
    theirs.packages,
  );
  const customer = merging.customer(bases, mine, theirs);
  return { draft: { ...mine, ...head, customer, packages }, conflicts: merging.conflicts };
}

type Texts<Field extends string> = Readonly<Record<Field, string>>;

interface FieldVersions<Field extends string> {
  readonly fields: readonly Field[];
  readonly bases: readonly Texts<Field>[];
  readonly mine: Texts<Field>;
  readonly theirs: Texts<Field>;
  /** The key of what the fields are of; each is one of its own in the head. */
  readonly at?: string;
}

interface Item {
  readonly key: string;
  readonly id?: string | undefined;
}

/** How items of a list are compared and joined. */
interface ItemRules<One extends Item> {
  readonly isChanged: (base: One, now: One) => boolean;
  readonly join: (versions: {
    readonly bases: readonly One[];
    readonly mine: One;
    readonly theirs: One;
  }) => One;
  /** What was deleted there and is added again. */
  readonly renew: (mine: One) => One;
}

class Merging {
  readonly conflicts: Conflict[] = [];
  readonly #isSame: IsSame;

  constructor(isSame: IsSame) {
    this.#isSame = isSame;
  }

  fields<Field extends string>({ fields, bases, mine, theirs, at }: FieldVersions<Field>): Texts<Field> {
    const joined = fields.map((field) => {
      const isSame = (one: Texts<Field>, other: Texts<Field>) =>
        this.#isSame(field, one[field], other[field]);
      if (isSame(mine, theirs) || bases.some((base) => isSame(base, theirs))) return [field, mine[field]];
      if (bases.some((base) => isSame(base, mine))) return [field, theirs[field]];
      this.conflicts.push({
        at: at ?? field,
        kind: 'field',
        field,
        mine: mine[field],
        theirs: theirs[field],
      });
      return [field, mine[field]];
    });
    return Object.fromEntries(joined) as Texts<Field>;
  }

  customer(bases: readonly Draft[], mine: Draft, theirs: Draft): Draft['customer'] {
    const [one, other] = [mine.customer, theirs.customer];
    // Whose name was corrected stays the same customer.
    if (one.id === other.id) return other;
    if (bases.some(({ customer }) => customer.id === other.id)) return one;
    if (bases.some(({ customer }) => customer.id === one.id)) return other;
    this.conflicts.push({
      at: 'customer',
      kind: 'field',
      field: 'customer',
      mine: one.name,
      theirs: other.name,
      theirCustomer: other,
    });
    return one;
  }

  packages(
    bases: readonly (readonly DraftPackage[])[],
    mine: readonly DraftPackage[],
    theirs: readonly DraftPackage[],
  ): readonly DraftPackage[] {
    return this.#items({ bases, mine, theirs, at: 'packages' }, {
      isChanged: (base, now) =>
        this.#areDifferent(packageFields, base, now) || this.#areOthers(base.lines, now.lines),
      join: (versions) => ({
        ...versions.mine,
        ...this.fields({ ...versions, fields: packageFields, at: versions.mine.key }),
        lines: this.#lines(versions),
      }),
      renew: (one) => ({
        ...one,
        id: undefined,
        lines: one.lines.map((line) => ({ ...line, id: undefined })),
      }),
    } satisfies ItemRules<DraftPackage>);
  }

  #lines({ bases, mine, theirs }: Parameters<ItemRules<DraftPackage>['join']>[0]): readonly DraftLine[] {
    const typed = mine.lines.filter((line) => !isBlank(line));
    const there = theirs.lines.filter((line) => !isBlank(line));
    const rules: ItemRules<DraftLine> = {
      isChanged: (base, now) => this.#areDifferent(lineFields, base, now),
      join: (versions) => ({
        ...versions.mine,
        ...this.fields({ ...versions, fields: lineFields, at: versions.mine.key }),
      }),
      renew: (line) => ({ ...line, id: undefined }),
    };
    const befores = bases.map(({ lines }) => lines);
    const lines = this.#items({ bases: befores, mine: typed, theirs: there, at: mine.key }, rules);
    const blank = mine.lines.at(-1);
    return blank && isBlank(blank) ? [...lines, blank] : endingBlank(lines);
  }

  #areDifferent<Field extends string>(fields: readonly Field[], one: Texts<Field>, other: Texts<Field>) {
    return fields.some((field) => !this.#isSame(field, one[field], other[field]));
  }

  #areOthers(before: readonly DraftLine[], now: readonly DraftLine[]): boolean {
    const typed = now.filter((line) => !isBlank(line));
    return (
      !isSameOrder(idsOf(before), idsOf(typed)) ||
      typed.some((line) => {
        const base = before.find(({ id }) => id === line.id);
        return !base || this.#areDifferent(lineFields, base, line);
      })
    );
  }

  #items<One extends Item>(lists: Lists<One>, rules: ItemRules<One>): readonly One[] {
    const { mine, theirs } = lists;
    const kept = mine.flatMap((one) => this.#kept(one, lists, rules));
    const known = new Set(idsOf(mine));
    const added = theirs
      .filter(({ id = '' }) => !known.has(id))
      .flatMap((one) => this.#found(one, lists, rules));
    return this.#ordered(lists, [...kept, ...added]);
  }

  /** What becomes of something here. */
  #kept<One extends Item>(one: One, { bases, theirs }: Lists<One>, rules: ItemRules<One>): readonly One[] {
    if (one.id === undefined) return [one];
    const other = find(theirs, one.id);
    const befores = bases.flatMap((base) => find(base, one.id) ?? []);
    if (other) return [rules.join({ bases: befores, mine: one, theirs: other })];
    if (befores.some((base) => !rules.isChanged(base, one))) return [];
    this.conflicts.push({ at: one.key, kind: 'deleted' });
    return [rules.renew(one)];
  }

  /** What becomes of something there that is not here: added there, or deleted here. */
  #found<One extends Item>(other: One, { bases }: Lists<One>, rules: ItemRules<One>): readonly One[] {
    const befores = bases.flatMap((base) => find(base, other.id) ?? []);
    if (befores.some((base) => !rules.isChanged(base, other))) return [];
    if (befores.length > 0) this.conflicts.push({ at: other.key, kind: 'restored' });
    return [other];
  }

  #ordered<One extends Item>({ bases, mine, theirs, at }: Lists<One>, items: readonly One[]): readonly One[] {
    const ids = new Set(idsOf(items));
    const common = (list: readonly One[]) =>
      idsOf(list).filter((id) => ids.has(id) && find(mine, id) && find(theirs, id));
    const orders = { mine: common(mine), theirs: common(theirs) };
    const isBase = (order: readonly string[]) =>
      bases.some((base) =>
        isSameOrder(
          order,
          idsOf(base).filter((id) => order.includes(id)),
        ),
      );
    const isTheirs = !isBase(orders.theirs) && !isSameOrder(orders.mine, orders.theirs);
    if (isTheirs && !isBase(orders.mine)) this.conflicts.push({ at, kind: 'order' });
    const [first, second] = isTheirs ? [theirs, mine] : [mine, theirs];
    return inserted(sequence(first, items), sequence(second, items));
  }
}

interface Lists<One extends Item> {
  readonly bases: readonly (readonly One[])[];
  readonly mine: readonly One[];
  readonly theirs: readonly One[];
  /** What the list is of. */
  readonly at: string;
}

const find = <One extends Item>(items: readonly One[], id: string | undefined): One | undefined =>
  items.find((item) => item.id !== undefined && item.id === id);

/** Those of the items that a list has, in its order. */
function sequence<One extends Item>(list: readonly One[], items: readonly One[]): readonly One[] {
  return list.flatMap(
    (one) =>
      items.find((item) => item.key === one.key || (item.id !== undefined && item.id === one.id)) ?? [],
  );
}

/** One list with what only the other one has, behind what it follows there. */
function inserted<One>(list: readonly One[], other: readonly One[]): readonly One[] {
  const joined = [...list];
  for (const [index, item] of other.entries()) {
    if (joined.includes(item)) continue;
    const before = other[index - 1];
    joined.splice(before === undefined ? 0 : joined.indexOf(before) + 1, 0, item);
  }
  return joined;
}
