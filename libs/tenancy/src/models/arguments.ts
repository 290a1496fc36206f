import { TenancyError } from '../errors.ts';

/** One call of a Prisma model. */
export interface ModelCall {
  readonly model: string;
  /** The model's own columns; every other name is a relation, or unknown. */
  readonly columns: ReadonlySet<string>;
  readonly operation: string;
  readonly args: Arguments;
}

export type Arguments = Readonly<Record<string, unknown>>;
type Judge = (value: unknown, call: ModelCall, path: string) => void;

const accepted: Judge = () => undefined;
const page = { take: accepted, skip: accepted };
const aggregates = {
  _count: accepted,
  _avg: accepted,
  _sum: accepted,
  _min: accepted,
  _max: accepted,
};
const answer = { select: columnsAlone, omit: columnsAlone };
const many = { where: filter, orderBy: order, ...page };

/** The arguments of each operation that can be judged. Any other operation is refused. */
const operations: Readonly<Record<string, Readonly<Record<string, Judge>>>> = {
  findFirst: { ...many, ...answer, distinct: accepted },
  findFirstOrThrow: { ...many, ...answer, distinct: accepted },
  findMany: { ...many, ...answer, distinct: accepted },
  count: { ...many, select: countedColumns },
  aggregate: { ...many, ...aggregates },
  groupBy: { ...many, ...aggregates, by: accepted, having: filter },
  create: { data: rows, ...answer },
  createMany: { data: rows, skipDuplicates: accepted },
  createManyAndReturn: { data: rows, skipDuplicates: accepted, ...answer },
  update: { where: filter, data: rows, ...answer },
  updateMany: { where: filter, data: rows, limit: accepted },
  updateManyAndReturn: { where: filter, data: rows, limit: accepted, ...answer },
  upsert: { where: filter, create: rows, update: rows, ...answer },
  delete: { where: filter, ...answer },
  deleteMany: { where: filter, limit: accepted },
};

/**
 * Refuses calls that cannot be judged by themselves: unknown operations, unknown arguments, relations anywhere (Prisma would
 * read and write the other model without its organization), and filters with an undefined value, which Prisma ignores.
 *
 * @throws {TenancyError} OPERATION_REFUSED, FILTER_UNDEFINED
 */
export function judgeArguments(call: ModelCall): void {
  const { model, operation, args } = call;
  const known = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
  if (!known) {
    // Prisma joins the findUnique calls of one tick into one query, which runs in the scope of the first of them.
    const instead = operation.startsWith('findUnique')
      ? 'it is answered together with other requests. Use findFirst.'
      : 'it is not known to keep to its tenant.';
    throw refused(`${operation} of ${model} is refused: ${instead}`);
  }
  for (const [name, value] of Object.entries(args)) {
    const judge = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!judge) throw refused(`${operation} of ${model} takes no ${name} here: it may leave the tenant.`);
    judge(value, call, name);
  }
}

function filter(value: unknown, call: ModelCall, path: string): void {
  for (const [name, condition] of entriesOf(value)) {
    const here = `${path}.${name}`;
    requireDefined(condition, here);
    if (['AND', 'OR', 'NOT'].includes(name)) {
      for (const part of Array.isArray(condition) ? condition : [condition]) filter(part, call, here);
    } else if (!call.columns.has(name) && !isCompoundKey(name, condition, call)) {
      throw relation(call, here);
    }
  }
}

/** A key of several columns, named after them: `organizationId_id: { organizationId, id }`. */
function isCompoundKey(name: string, value: unknown, { columns }: ModelCall): boolean {
  const parts = entriesOf(value).map(([part]) => part);
  const words = (text: string) => text.split('_').sort().join('_');
  return (
    parts.length > 1 && parts.every((part) => columns.has(part)) && words(parts.join('_')) === words(name)
  );
}

function rows(value: unknown, call: ModelCall, path: string): void {
  for (const row of Array.isArray(value) ? value : [value]) columnsAlone(row, call, path);
}

function columnsAlone(value: unknown, call: ModelCall, path: string): void {
  for (const [name] of entriesOf(value)) {
    if (!call.columns.has(name)) throw relation(call, `${path}.${name}`);
  }
}

function countedColumns(value: unknown, call: ModelCall, path: string): void {
  for (const [name] of entriesOf(value)) {
    if (name !== '_all' && !call.columns.has(name)) throw relation(call, `${path}.${name}`);
  }
}

function order(value: unknown, call: ModelCall, path: string): void {
  for (const part of Array.isArray(value) ? value : [value]) {
    for (const [name, direction] of entriesOf(part)) {
      if (Object.hasOwn(aggregates, name)) columnsAlone(direction, call, `${path}.${name}`);
      else if (!call.columns.has(name)) throw relation(call, `${path}.${name}`);
    }
  }
}

function requireDefined(value: unknown, path: string): void {
  if (value === undefined) {
    throw new TenancyError('FILTER_UNDEFINED', `${path} is undefined, which Prisma takes for no filter.`);
  }
  for (const [name, child] of entriesOf(value)) requireDefined(child, `${path}.${name}`);
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
    ? Object.entries(value)
    : [];
}

function relation({ model }: ModelCall, path: string): TenancyError {
  return refused(
    `${path} is no column of ${model}. A relation would leave the tenant: query the other model by itself.`,
  );
}

function refused(message: string): TenancyError {
  return new TenancyError('OPERATION_REFUSED', message);
}
