import { columnOf, ownedBy, type Equality } from './expressions.ts';
import { ownerColumns, ownersOf, type Names, type Owner, type Source } from './sources.ts';

/** An equality, and the sources whose rows it holds for: an outer join keeps rows of one side without it. */
export interface Fact {
  readonly equality: Equality;
  readonly confines: readonly Source[];
}

/** Takes the rows of every source for the owner's whose owner column is equal to an id that is known to be the owner's. */
export function confine(facts: readonly Fact[], { names, owner }: { names: Names; owner: Owner }): void {
  const confinedBy = ({ equality: [left, right], confines }: Fact): boolean =>
    [
      [left, right],
      [right, left],
    ].some(([side, other]) => {
      const column = columnOf(side, names);
      if (!column || column.source.confined || !confines.includes(column.source)) return false;
      const needed = ownersOf(column.source.columns, owner);
      if (!needed || column.name !== ownerColumns[needed] || ownedBy(other, { names, owner }) !== needed)
        return false;
      column.source.confined = true;
      return true;
    });
  // Each may be what another one waits for.
  while (facts.some(confinedBy));
}
