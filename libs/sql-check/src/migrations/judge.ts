import type { AlterTableCmd, AlterTableStmt, DropStmt, Node, RangeVar, RenameStmt } from 'libpg-query';
import { constraintOf, nameOf, newColumnProblems, newConstraintProblems, requiredColumn } from './columns.ts';

/** The effects of earlier statements. */
export interface Tables {
  /** Created by this migration: no other session uses them yet. */
  readonly made: Set<string>;
  /** Constraints that it has added, by table and name; their locks last until it ends. */
  readonly added: Set<string>;
  /** Columns that a validated constraint requires to be NOT NULL, by table and constraint. */
  readonly required: Map<string, { readonly column: string; isValid: boolean }>;
}

/** The effects of a statement on tables in use, each with what to do instead; keeps track of the tables. */
export function judgeStatement(tree: Node, tables: Tables): string[] {
  const isUsed = (relation: RangeVar | undefined) => !tables.made.has(tableOf(relation));
  const onUsed = (relation: RangeVar | undefined, problem: string) =>
    isUsed(relation) ? [problem.replace('%', tableOf(relation))] : [];

  if ('CreateStmt' in tree) return made(tree.CreateStmt.relation, tables);
  if ('CreateTableAsStmt' in tree) return made(tree.CreateTableAsStmt.into?.rel, tables);
  if ('AlterTableStmt' in tree) return judgeAlterTable(tree.AlterTableStmt, tables);
  if ('RenameStmt' in tree) return judgeRename(tree.RenameStmt, isUsed);
  if ('DropStmt' in tree) return judgeDrop(tree.DropStmt, tables);
  if ('IndexStmt' in tree) {
    const { relation, concurrent } = tree.IndexStmt;
    return concurrent ? [] : onUsed(relation, `builds an index, which blocks writes to %: ${concurrently}`);
  }
  if ('ReindexStmt' in tree) {
    const { params = [], relation } = tree.ReindexStmt;
    const isConcurrent = params.some((each) => 'DefElem' in each && each.DefElem.defname === 'concurrently');
    return isConcurrent
      ? []
      : onUsed(relation, `rebuilds indexes, which blocks writes: REINDEX … CONCURRENTLY`);
  }
  if ('UpdateStmt' in tree) return onUsed(tree.UpdateStmt.relation, `changes rows of %: ${inBatches}`);
  if ('DeleteStmt' in tree) return onUsed(tree.DeleteStmt.relation, `deletes rows of %: ${inBatches}`);
  if ('MergeStmt' in tree) return onUsed(tree.MergeStmt.relation, `changes rows of %: ${inBatches}`);
  if ('TruncateStmt' in tree) {
    return tablesIn(tree.TruncateStmt.relations).flatMap((table) => onUsed(table, 'empties %'));
  }
  if ('LockStmt' in tree)
    return tablesIn(tree.LockStmt.relations).flatMap((table) => onUsed(table, 'locks %'));
  if ('ClusterStmt' in tree)
    return onUsed(tree.ClusterStmt.relation, 'rewrites %, which blocks reads and writes');
  if ('RefreshMatViewStmt' in tree) {
    const { concurrent, relation } = tree.RefreshMatViewStmt;
    return concurrent ? [] : onUsed(relation, 'fills %, which blocks reads: REFRESH … CONCURRENTLY');
  }
  if ('AlterDomainStmt' in tree) {
    const { def } = tree.AlterDomainStmt;
    return def && !constraintOf(def).skip_validation
      ? ['checks every table that has a column of this domain']
      : [];
  }
  if ('DoStmt' in tree) return ['runs a block, which is not judged'];
  return [];
}

const concurrently = 'CREATE INDEX CONCURRENTLY, alone in a migration of its own';
const inBatches = 'where they are many, change them in batches, before or after the migration';
const contract = 'the version that still runs may use it, so first release one that does not';

function made(relation: RangeVar | undefined, tables: Tables): [] {
  tables.made.add(tableOf(relation));
  return [];
}

function judgeAlterTable({ relation, cmds = [], objtype }: AlterTableStmt, tables: Tables): string[] {
  const table = tableOf(relation);
  if (objtype === 'OBJECT_INDEX' || tables.made.has(table)) return [];
  return cmds.flatMap((node) =>
    'AlterTableCmd' in node ? judgeChange(node.AlterTableCmd, { table, tables }) : [],
  );
}

function judgeChange(
  { subtype, name = '', def }: AlterTableCmd,
  { table, tables: { required, added } }: { table: string; tables: Tables },
): string[] {
  switch (subtype) {
    case 'AT_AddColumn':
      return def && 'ColumnDef' in def ? newColumnProblems(def.ColumnDef) : [];
    case 'AT_AddConstraint': {
      const constraint = constraintOf(def ?? ({} as Node));
      const column = requiredColumn(constraint);
      const isValid = constraint.skip_validation !== true;
      added.add(`${table} ${constraint.conname}`);
      if (column !== undefined) required.set(`${table} ${constraint.conname}`, { column, isValid });
      return newConstraintProblems(constraint);
    }
    case 'AT_ValidateConstraint': {
      const constraint = required.get(`${table} ${name}`);
      if (constraint) constraint.isValid = true;
      return added.has(`${table} ${name}`)
        ? [`checks every row for ${name}, which blocks writes: VALIDATE CONSTRAINT in the next migration`]
        : [];
    }
    case 'AT_DropConstraint':
      required.delete(`${table} ${name}`);
      return [];
    case 'AT_SetNotNull': {
      const isKnown = [...required].some(
        ([key, { column, isValid }]) => key.startsWith(`${table} `) && column === name && isValid,
      );
      return isKnown
        ? []
        : [`reads all of ${table} to require ${name}: VALIDATE a CHECK (${name} IS NOT NULL) before`];
    }
    case 'AT_AlterColumnType':
      return [`rewrites ${table} for the type of ${name}: add a column, and change over to it`];
    case 'AT_DropColumn':
      return [`drops ${name} of ${table}: ${contract}`];
    default:
      return subtype !== undefined && brief.has(subtype)
        ? []
        : [`does ${subtype} to ${table}, which is not judged`];
  }
}

/** Changes that are quick, however large the table. */
const brief = new Set<string>([
  'AT_ColumnDefault',
  'AT_DropNotNull',
  'AT_DropExpression',
  'AT_SetStatistics',
  'AT_SetStorage',
  'AT_SetOptions',
  'AT_ResetOptions',
  'AT_SetRelOptions',
  'AT_ResetRelOptions',
  'AT_ChangeOwner',
  'AT_ReplicaIdentity',
  'AT_EnableTrig',
  'AT_DisableTrig',
  'AT_EnableRowSecurity',
  'AT_DisableRowSecurity',
  'AT_ForceRowSecurity',
  'AT_NoForceRowSecurity',
]);

function judgeRename(
  { renameType, relation, subname, newname }: RenameStmt,
  isUsed: (relation: RangeVar | undefined) => boolean,
): string[] {
  const renames: string[] = ['OBJECT_TABLE', 'OBJECT_COLUMN', 'OBJECT_VIEW', 'OBJECT_MATVIEW'];
  if (renameType === undefined || !renames.includes(renameType) || !isUsed(relation)) return [];
  const former = subname ?? tableOf(relation);
  return [
    `renames ${former}: the version that still runs knows no ${newname}; add it beside, and drop ${former} later`,
  ];
}

function judgeDrop({ removeType, objects = [] }: DropStmt, { made: own }: Tables): string[] {
  const drops: string[] = [
    'OBJECT_TABLE',
    'OBJECT_VIEW',
    'OBJECT_MATVIEW',
    'OBJECT_FUNCTION',
    'OBJECT_SCHEMA',
  ];
  if (removeType === undefined || !drops.includes(removeType)) return [];
  return objects
    .map(droppedName)
    .filter((name) => !own.has(name))
    .map((name) => `drops ${name}: ${contract}`);
}

function droppedName(object: Node): string {
  const parts =
    'List' in object
      ? object.List.items
      : 'ObjectWithArgs' in object
        ? object.ObjectWithArgs.objname
        : [object];
  return (parts ?? []).map(nameOf).join('.');
}

const tablesIn = (nodes: readonly Node[] = []) =>
  nodes.flatMap((node) => ('RangeVar' in node ? [node.RangeVar] : []));

/** That of the schema public stands alone. */
function tableOf({ schemaname, relname = '' }: RangeVar = {}): string {
  return schemaname === undefined || schemaname === 'public' ? relname : `${schemaname}.${relname}`;
}
