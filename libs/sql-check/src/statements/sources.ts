/** What a value surely is: an id of the statement's owner, or of an organization that is the owner's. */
export type Owned = 'organization' | 'user';

/** Whose id `$1` of a statement is; `unscoped` if it reads only unscoped tables. */
export type Owner = Owned | 'unscoped';

/** A column of what a query answers; without a name where it has none. */
export interface OutputColumn {
  readonly name: string | undefined;
  readonly owned: Owned | undefined;
  /** Whether it stands for itself, and not among others behind a star: then it also has a place that is known. */
  readonly placed: boolean;
}

/** One name in a FROM clause. */
export interface Source {
  readonly name: string;
  /** The table, where it is one whose rows have an owner. */
  readonly table: string | undefined;
  /** The columns that it is known to have. */
  readonly columns: ReadonlySet<string>;
  /** Whether it may have others. */
  readonly open: boolean;
  /** Which of them are an owner's id, once every row of it is known to be the owner's. */
  readonly owned: ReadonlyMap<string, Owned>;
  /** Whether every row that it yields is known to be the owner's, or unscoped. */
  confined: boolean;
}

/** The names that a part of a statement sees: its own, then those around it. */
export interface Names {
  readonly sources: Source[];
  readonly around: Names | undefined;
  readonly queries: ReadonlyMap<string, readonly OutputColumn[] | 'recursive'>;
}

/** Whose rows a statement reads, by the columns that tables have for it. */
export const ownerColumns = { organization: 'organization_id', user: 'user_id' } as const;

/** The owner columns of a table that must hold for one of its rows to be the owner's. */
export function ownersOf(columns: ReadonlySet<string>, owner: Owner): Owned | undefined {
  if (owner === 'unscoped') return undefined;
  if (columns.has(ownerColumns[owner])) return owner;
  // To a user belong the rows of the organizations that the user's own rows name; never the other way round.
  return owner === 'user' && columns.has(ownerColumns.organization) ? 'organization' : undefined;
}

const ownedKinds = { user: ['user', 'organization'], organization: ['organization'], unscoped: [] } as const;

/** A table whose rows have an owner; none of them is taken for the statement's owner's yet. */
export function tableSource(options: {
  name: string;
  table: string;
  columns: ReadonlySet<string>;
  owner: Owner;
}): Source {
  const { name, table, columns, owner } = options;
  const kinds = ownedKinds[owner];
  const owned = kinds
    .filter((kind) => columns.has(ownerColumns[kind]))
    .map((kind) => [ownerColumns[kind], kind] as const);
  return { name, table, columns, open: false, owned: new Map(owned), confined: false };
}

/** Rows that need no confining: of an unscoped table, a function, or a query that is judged by itself. */
export function freeSource(name: string, columns: readonly OutputColumn[], open = false): Source {
  const named = columns.flatMap(({ name, owned }) => (name === undefined ? [] : [{ name, owned }]));
  return {
    name,
    table: undefined,
    columns: new Set(named.map(({ name }) => name)),
    open,
    owned: new Map(named.flatMap(({ name, owned }) => (owned ? [[name, owned] as const] : []))),
    confined: true,
  };
}

/** The source that a column is of; undefined where that cannot be told. */
export function sourceOf(column: string, qualifier: string | undefined, names: Names): Source | undefined {
  for (let level: Names | undefined = names; level; level = level.around) {
    const found = level.sources.filter((source) =>
      qualifier === undefined ? source.columns.has(column) : source.name === qualifier,
    );
    if (found.length > 0) return found.length === 1 ? found[0] : undefined;
    if (qualifier === undefined && level.sources.some(({ open }) => open)) return undefined;
  }
  return undefined;
}
