import type { DeleteStmt, InsertStmt, Node, RangeVar, SelectStmt, UpdateStmt, WithClause } from 'libpg-query';
import { confine, equalitiesOf, ownedBy, partsOf, reversedNames } from './expressions.ts';
import { aliased, readFrom, renamed } from './from-clause.ts';
import { freeSource, ownerColumns, ownersOf, tableSource } from './sources.ts';
import type { Names, OutputColumn, Owned, Owner, Source } from './sources.ts';

/** The input for judging a statement. */
export interface Rules {
  /** Whose id `$1` is. */
  readonly owner: Owner;
  /** The columns of every table, by its name; that of one outside of `public` begins with its schema. */
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>;
  /** The unscoped tables. */
  readonly unscoped: ReadonlySet<string>;
  /** The functions that read no table and change nothing. */
  readonly functions: ReadonlySet<string>;
  /** Called for everything that may leave the owner. */
  readonly report: (problem: string) => void;
  /** Called for a table that the database does not have. */
  readonly missing: (table: string) => void;
}

/** What a block consists of that decides about its sources. */
interface Block {
  readonly target?: Source | undefined;
  readonly from: readonly Node[];
  readonly where: Node | undefined;
  readonly verb: string;
}

const nothing: Names = { sources: [], around: undefined, queries: new Map() };

/** Judges the syntax tree of a statement: every row that it touches must provably be the owner's, or unscoped. */
export function judgeStatement(statement: Node, rules: Rules): void {
  new Judge(rules).query(statement, nothing);
}

class Judge {
  readonly #rules: Rules;

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** Judges a query and tells what it answers. */
  query(statement: Node, around: Names): readonly OutputColumn[] {
    if ('SelectStmt' in statement) return this.#select(statement.SelectStmt, around);
    if ('InsertStmt' in statement) return this.#insert(statement.InsertStmt, around);
    if ('UpdateStmt' in statement) return this.#update(statement.UpdateStmt, around);
    if ('DeleteStmt' in statement) return this.#delete(statement.DeleteStmt, around);
    this.#rules.report(`is a ${Object.keys(statement).join()}, which is not judged`);
    return [];
  }

  #select(select: SelectStmt, around: Names): readonly OutputColumn[] {
    const {
      withClause,
      larg,
      rarg,
      fromClause = [],
      valuesLists,
      whereClause,
      targetList = [],
      ...rest
    } = select;
    const outer = this.#with(withClause, around);
    if (rest.intoClause) this.#rules.report('writes a table by SELECT INTO, which is not judged');
    if (larg && rarg) {
      this.#look(rest, outer);
      const right = this.#select(rarg, outer);
      const left = this.#select(larg, outer);
      const known = [...left, ...right].every(({ placed }) => placed);
      return left.map((column, n) =>
        known && column.owned === right[n]?.owned ? column : { ...column, owned: undefined },
      );
    }
    const names = this.#block({ from: fromClause, where: whereClause, verb: 'reads' }, outer);
    this.#look({ ...rest, targetList, valuesLists }, names);
    return valuesLists ? this.#values(valuesLists, names) : this.#answered(targetList, names);
  }

  #insert(insert: InsertStmt, around: Names): readonly OutputColumn[] {
    const { relation, cols = [], selectStmt, onConflictClause, returningClause, withClause } = insert;
    const outer = this.#with(withClause, around);
    const [target] = this.#table(relation, { ...outer, queries: new Map() });
    const values = selectStmt ? this.query(selectStmt, outer) : [];
    const columns = cols.map((column) => ('ResTarget' in column ? column.ResTarget.name : undefined));
    this.#requireOwnedRow(target, (column) => {
      const given = values.every(({ placed }) => placed) ? values[columns.indexOf(column)] : undefined;
      return given?.owned;
    });
    // A row in conflict has the same key, which begins with the owner: the catalog test sees to that.
    if (target) target.confined = true;
    this.#refuseNewOwner(target, onConflictClause?.targetList);
    const excluded = target ? [{ ...target, name: 'excluded' }] : [];
    this.#look(onConflictClause, {
      ...outer,
      sources: [...(target ? [target] : []), ...excluded],
      around: outer,
    });
    return this.#returned(returningClause?.exprs, {
      ...outer,
      sources: target ? [target] : [],
      around: outer,
    });
  }

  #update(update: UpdateStmt, around: Names): readonly OutputColumn[] {
    const { relation, targetList = [], whereClause, fromClause = [], returningClause, withClause } = update;
    const outer = this.#with(withClause, around);
    const [target] = this.#table(relation, { ...outer, queries: new Map() });
    const names = this.#block({ target, from: fromClause, where: whereClause, verb: 'updates' }, outer);
    this.#refuseNewOwner(target, targetList);
    this.#look(targetList, names);
    return this.#returned(returningClause?.exprs, names);
  }

  #delete(deletion: DeleteStmt, around: Names): readonly OutputColumn[] {
    const { relation, usingClause = [], whereClause, returningClause, withClause } = deletion;
    const outer = this.#with(withClause, around);
    const [target] = this.#table(relation, { ...outer, queries: new Map() });
    const names = this.#block({ target, from: usingClause, where: whereClause, verb: 'deletes from' }, outer);
    return this.#returned(returningClause?.exprs, names);
  }

  /** The names that a statement sees after its WITH; each query in it is judged. */
  #with(clause: WithClause | undefined, around: Names): Names {
    const queries = new Map(around.queries);
    for (const node of clause?.ctes ?? []) {
      if (!('CommonTableExpr' in node)) continue;
      const { ctename = '', ctequery, aliascolnames = [] } = node.CommonTableExpr;
      // A recursive query sees itself: of what it answers nothing is known to be the owner's.
      if (clause?.recursive) queries.set(ctename, 'recursive');
      const columns = ctequery ? this.query(ctequery, { sources: [], around, queries }) : [];
      queries.set(ctename, renamed(columns, aliascolnames));
    }
    return { sources: [], around, queries };
  }

  /** Judges what a block reads, and gives the names that its expressions see. */
  #block({ target, from, where, verb }: Block, around: Names): Names {
    const { owner, report } = this.#rules;
    const clause = readFrom(from, {
      table: (range) => this.#table(range, around),
      query: (select) => this.#select(select, around),
      report,
    });
    const sources = [...(target ? [target] : []), ...clause.sources];
    const names: Names = { sources, around, queries: around.queries };
    const facts = [
      ...clause.facts,
      ...equalitiesOf(where).map((equality) => ({ equality, confines: sources })),
    ];
    confine(facts, { names, owner });
    for (const { alias, select } of clause.laterals)
      sources.push(aliased(alias, this.#select(select, names)));
    // What a lateral query answers may confine what stands beside it.
    confine(facts, { names, owner });
    for (const source of sources) this.#requireConfined(source, source === target ? verb : 'reads');
    this.#look([clause.expressions, where], names);
    return names;
  }

  #requireConfined({ table, columns, confined }: Source, verb: string): void {
    if (confined || table === undefined) return;
    const needed = ownersOf(columns, this.#rules.owner);
    const how = needed ? ` without confining it to ${ownerColumns[needed]}` : this.#ofOthers();
    this.#rules.report(`${verb} ${table}${how}`);
  }

  /** The source that a name in FROM, or the target of a write, stands for. */
  #table(range: RangeVar | undefined, { queries }: Pick<Names, 'queries'>): Source[] {
    const { relname = '', schemaname, alias } = range ?? {};
    const name = alias?.aliasname ?? relname;
    const query = schemaname === undefined ? queries.get(relname) : undefined;
    if (query === 'recursive') return [freeSource(name, [], true)];
    if (query) return [aliased({ ...alias, aliasname: name }, query)];
    const table = schemaname === undefined || schemaname === 'public' ? relname : `${schemaname}.${relname}`;
    const { tables, unscoped, owner, report, missing } = this.#rules;
    const columns = tables.get(table);
    if (!columns) {
      missing(table);
      return [];
    }
    if (unscoped.has(table)) {
      const free = [...columns].map((column) => ({ name: column, owned: undefined, placed: true }));
      return [aliased({ ...alias, aliasname: name }, free)];
    }
    if (alias?.colnames) report(`renames the columns of ${table}, so that another may pass for its owner`);
    return [tableSource({ name, table, columns, owner })];
  }

  /** From the organization's side a row needs its organization; from the user's, all that it has of either. */
  #requireOwnedRow(target: Source | undefined, given: (column: string) => Owned | undefined): void {
    if (target?.table === undefined) return;
    if (target.owned.size === 0) this.#rules.report(`inserts into ${target.table}${this.#ofOthers()}`);
    for (const [column, needed] of target.owned) {
      if (given(column) !== needed)
        this.#rules.report(`inserts into ${target.table} without the ${column} of its owner`);
    }
  }

  /** What is wrong with a table that the statement's owner has no column in. */
  #ofOthers(): string {
    return this.#rules.owner === 'unscoped' ? ', whose rows have an owner' : ', whose rows belong to users';
  }

  #refuseNewOwner(target: Source | undefined, targets: readonly Node[] = []): void {
    if (target?.table === undefined) return;
    for (const node of targets) {
      const name = 'ResTarget' in node ? node.ResTarget.name : undefined;
      if (name !== undefined && target.owned.has(name))
        this.#rules.report(`changes ${name} of ${target.table}`);
    }
  }

  /** Judges the queries inside of expressions, and the functions that they call. */
  #look(expressions: unknown, names: Names): void {
    const { queries, functions } = partsOf(expressions);
    for (const query of queries) this.#select(query, names);
    for (const name of functions) {
      if (!this.#rules.functions.has(name)) this.#rules.report(`calls ${name}(), which is not listed`);
    }
  }

  #returned(exprs: readonly Node[] | undefined, names: Names): readonly OutputColumn[] {
    this.#look(exprs, names);
    return this.#answered(exprs ?? [], names);
  }

  #answered(targets: readonly Node[], names: Names): OutputColumn[] {
    const { owner } = this.#rules;
    return targets.flatMap((node) => {
      if (!('ResTarget' in node)) return [];
      const { name, val } = node.ResTarget;
      const [column, qualifier] = val && 'ColumnRef' in val ? reversedNames(val.ColumnRef) : [name];
      if (val && 'ColumnRef' in val && column === undefined) return everyColumn(qualifier, names);
      return [{ name: name ?? column, owned: ownedBy(val, { names, owner }), placed: true }];
    });
  }

  #values(lists: readonly Node[], names: Names): OutputColumn[] {
    const { owner } = this.#rules;
    const rows = lists.map((list) =>
      ('List' in list ? (list.List.items ?? []) : []).map((item) => ownedBy(item, { names, owner })),
    );
    return (rows[0] ?? []).map((owned, n) => ({
      name: `column${n + 1}`,
      owned: rows.every((row) => row[n] === owned) ? owned : undefined,
      placed: true,
    }));
  }
}

/** What a star stands for. */
function everyColumn(qualifier: string | undefined, { sources }: Names): OutputColumn[] {
  return sources
    .filter(({ name }) => qualifier === undefined || name === qualifier)
    .flatMap(({ columns, owned, confined }) =>
      [...columns].map((name) => ({
        name,
        owned: confined ? owned.get(name) : undefined,
        placed: false,
      })),
    );
}
