import { endingBlank, type Draft, type DraftLine, type DraftPackage } from './draft.ts';
import type { Conflict } from './merge.ts';

type Change = (draft: Draft) => Draft;

/** What becomes of what is typed by either decision of a conflict. */
export function decisionsOf(conflict: Conflict): { readonly keepMine: Change; readonly takeTheirs: Change } {
  const same: Change = (draft) => draft;
  switch (conflict.kind) {
    case 'field':
      return { keepMine: same, takeTheirs: (draft) => withTheirs(draft, conflict) };
    case 'deleted':
      return { keepMine: same, takeTheirs: (draft) => without(draft, conflict.at) };
    case 'restored':
      return { keepMine: (draft) => without(draft, conflict.at), takeTheirs: same };
    case 'order':
      return { keepMine: same, takeTheirs: same };
  }
}

function withTheirs(draft: Draft, { at, field = '', theirs = '', theirCustomer }: Conflict): Draft {
  if (theirCustomer) return { ...draft, customer: theirCustomer };
  if (at === field) return { ...draft, [field]: theirs };
  const changed = <Item extends DraftLine | DraftPackage>(item: Item): Item =>
    item.key === at ? { ...item, [field]: theirs } : item;
  return {
    ...draft,
    packages: draft.packages.map((one) => changed({ ...one, lines: one.lines.map(changed) })),
  };
}

function without(draft: Draft, key: string): Draft {
  return {
    ...draft,
    packages: draft.packages
      .filter((one) => one.key !== key)
      .map((one) => ({ ...one, lines: endingBlank(one.lines.filter((line) => line.key !== key)) })),
  };
}
