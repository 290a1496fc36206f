import type { ColumnDef, Constraint, Node } from 'libpg-query';

/** The effects of a new column on existing rows, and on the version that is still running. */
export function newColumnProblems({ colname = '', typeName, constraints = [] }: ColumnDef): string[] {
  const found = constraints.map(constraintOf);
  const has = (kind: Constraint['contype']) => found.some(({ contype }) => contype === kind);
  const named = typeName?.names?.map(nameOf).at(-1) ?? '';
  const isGenerated = found.some(
    ({ contype, generated_kind: kind }) => contype === 'CONSTR_GENERATED' && kind === 's',
  );
  const isNumbered = has('CONSTR_IDENTITY') || /serial\d?$/.test(named);
  const byDefault = found.find(({ contype }) => contype === 'CONSTR_DEFAULT')?.raw_expr;
  const isRequired = has('CONSTR_NOTNULL') && byDefault === undefined && !isGenerated && !isNumbered;
  return [
    ...(isGenerated || isNumbered || (byDefault && !isEvaluatedOnce(byDefault))
      ? [`rewrites the table to give every row its own ${colname}: add it empty, and fill it in batches`]
      : []),
    ...(isRequired
      ? [`requires ${colname} of rows that have none, and of the version that still runs: give it a default`]
      : []),
    ...(has('CONSTR_UNIQUE') || has('CONSTR_PRIMARY')
      ? [`builds the index of ${colname}, which blocks reads: ${indexFirst}`]
      : []),
    ...(has('CONSTR_CHECK') || has('CONSTR_FOREIGN')
      ? [`checks ${colname} of every row, which blocks writes: ${notValidFirst}`]
      : []),
  ];
}

/** The effects of a new constraint on a table with rows. */
export function newConstraintProblems({
  contype,
  conname = '',
  skip_validation,
  indexname,
}: Constraint): string[] {
  const named = conname === '' ? 'a constraint' : conname;
  switch (contype) {
    case 'CONSTR_UNIQUE':
    case 'CONSTR_PRIMARY':
      return indexname === undefined
        ? [`builds the index of ${named}, which blocks reads: ${indexFirst}`]
        : [];
    case 'CONSTR_CHECK':
    case 'CONSTR_FOREIGN':
    case 'CONSTR_NOTNULL':
      return skip_validation ? [] : [`checks every row for ${named}, which blocks writes: ${notValidFirst}`];
    default:
      return [`adds ${named}, which is not judged`];
  }
}

const indexFirst =
  'CREATE UNIQUE INDEX CONCURRENTLY in a migration of its own, then ADD CONSTRAINT … USING INDEX';
const notValidFirst = 'ADD CONSTRAINT … NOT VALID, and VALIDATE CONSTRAINT in the next migration';

/** The column that a constraint requires to be NOT NULL. */
export function requiredColumn({ contype, raw_expr: expression, keys = [] }: Constraint): string | undefined {
  if (contype === 'CONSTR_NOTNULL') return keys.map(nameOf)[0];
  if (contype !== 'CONSTR_CHECK' || !expression || !('NullTest' in expression)) return undefined;
  const { arg, nulltesttype } = expression.NullTest;
  if (nulltesttype !== 'IS_NOT_NULL' || !arg || !('ColumnRef' in arg)) return undefined;
  return arg.ColumnRef.fields?.map(nameOf).at(-1);
}

/** Functions that return the same value for every row of a statement. */
const stable = ['now', 'transaction_timestamp', 'statement_timestamp'];

/** Whether PostgreSQL stores a default once for all existing rows. */
function isEvaluatedOnce(expression: Node): boolean {
  if ('A_Const' in expression || 'SQLValueFunction' in expression) return true;
  if ('TypeCast' in expression)
    return expression.TypeCast.arg !== undefined && isEvaluatedOnce(expression.TypeCast.arg);
  if ('A_ArrayExpr' in expression) return (expression.A_ArrayExpr.elements ?? []).every(isEvaluatedOnce);
  return 'FuncCall' in expression && stable.includes(expression.FuncCall.funcname?.map(nameOf).at(-1) ?? '');
}

export function constraintOf(node: Node): Constraint {
  return 'Constraint' in node ? node.Constraint : {};
}

export function nameOf(node: Node): string {
  return 'String' in node ? (node.String.sval ?? '') : '';
}
