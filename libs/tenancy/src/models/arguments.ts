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
const shown = { select: columnsAlone, omit: columnsAlone };
const read = { where: filter, orderBy: columnsAlone, take: accepted, skip: accepted, ...shown };

/**
 * The operations, and the arguments of each: those that can be judged and are one query each, which runs in the open transaction
 * as a statement does. Any other is refused.
 */
const operations = {
  findFirst: read,
  findFirstOrThrow: read,
  findMany: read,
  count: { where: filter },
  create: { data: columnsAlone, ...shown },
  createMany: { data: columnsAlone, skipDuplicates: accepted },
  updateMany: { where: filter, data: columnsAlone },
  updateManyAndReturn: { where: filter, data: columnsAlone, ...shown },
  deleteMany: { where: filter },
};

/** The name of an operation. */
export type Operation = keyof typeof operations;

/**
 * Refuses calls that cannot be judged by themselves: unknown operations, unknown arguments, relations anywhere (Prisma would
 * read and write the other model without its organization), and filters with an undefined value, which Prisma ignores.
 *
 * @throws {TenancyError} OPERATION_REFUSED, FILTER_UNDEFINED
 */
export function judgeArguments(call: ModelCall): void {
  const { model, operation, args } = call;
  const known: Readonly<Record<string, Judge>> | undefined = Object.hasOwn(operations, operation)
    ? operations[operation as Operation]
    : undefined;
  if (!known)
    throw refused(`${operation} of ${model} is refused: use ${Object.keys(operations).join(', ')}.`);
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
      for (const part of [condition].flat()) filter(part, call, here);
    } else if (!call.columns.has(name)) {
      throw relation(call, here);
    }
  }
}

function columnsAlone(value: unknown, call: ModelCall, path: string): void {
  for (const [name] of [value].flat().flatMap(entriesOf)) {
    if (!call.columns.has(name)) throw relation(call, `${path}.${name}`);
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

const relation = ({ model }: ModelCall, path: string): TenancyError =>
  refused(
    `${path} is no column of ${model}. A relation would leave the tenant: query the other model by itself.`,
  );

const refused = (message: string): TenancyError => new TenancyError('OPERATION_REFUSED', message);
