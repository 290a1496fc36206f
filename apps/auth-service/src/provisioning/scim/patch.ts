import { ScimError } from '@tenantry/service/failures';
import {
  enterpriseAttributes,
  enterpriseSchema,
  findAttribute,
  invalidValue,
  isObject,
  isReadOnly,
  readValue,
  userSchema,
  writable,
  type Attribute,
  type Attributes,
  type Value,
  type Values,
} from './attributes.ts';
import { noPasswords, saidIn, valuesOf, type Said } from './users.ts';

/** One change: RFC 7644, 3.5.2. */
export interface Operation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly value: unknown;
}

/** Which of several values is meant: `[type eq "work"]`. */
interface Condition {
  readonly name: string;
  readonly value: string | boolean;
}

/** What a path names. */
interface Target {
  readonly attribute: Attribute;
  readonly name: string;
  readonly condition: Condition | undefined;
  /** A part of it, with its kind. */
  readonly part: readonly [string, Attribute] | undefined;
  /** Whether it belongs to the extension for enterprises. */
  readonly isEnterprise: boolean;
}

const operationsMax = 100;
const pathLengthMax = 300;
const pathForm = /^(?<name>[$\w-]+)(?:\[(?<condition>[^\]]*)\])?(?:\.(?<part>[$\w-]+))?$/;
const conditionForm = /^\s*(?<name>\w+)\s+eq\s+(?<value>"(?:[^"\\]|\\.)*"|true|false)\s*$/i;

/**
 * What a directory says after a PATCH, all of it or nothing. Names of operations and attributes are compared without regard to case,
 * and without a path the names in the value may be paths: Microsoft Entra ID writes both.
 *
 * @throws ScimError for what cannot be done: nothing is left out
 */
export function patched(before: Said, body: unknown): Said {
  const values = valuesOf(before);
  for (const operation of operationsIn(body)) apply(values, operation);
  return saidIn(values);
}

/** The changes of a PATCH, with a path each. @throws ScimError */
export function operationsIn(body: unknown): Operation[] {
  const [, list] =
    Object.entries(isObject(body) ? body : {}).find(([name]) => name.toLowerCase() === 'operations') ?? [];
  if (!Array.isArray(list) || list.length === 0) throw invalidSyntax('Operations must be a list of changes.');
  const operations = list.flatMap(operationsOf);
  if (operations.length > operationsMax)
    throw invalidSyntax(
      `A request has at most ${operationsMax} operations: without a path, each name is one.`,
    );
  return operations;
}

function operationsOf(given: unknown): Operation[] {
  const { op: written, path, value } = isObject(given) ? given : {};
  const op = typeof written === 'string' ? written.toLowerCase() : undefined;
  if (op !== 'add' && op !== 'replace' && op !== 'remove') {
    throw invalidSyntax('The op of an operation is add, replace or remove.');
  }
  if (typeof path === 'string' && path !== '') return [{ op, path, value }];
  if (path !== undefined && path !== null && path !== '')
    throw invalidSyntax('The path of an operation is text.');
  if (op === 'remove')
    throw new ScimError('VALIDATION_ERROR', 'noTarget', 'To remove something, name its path.');
  if (!isObject(value)) throw invalidSyntax('Without a path, the value of an operation is an object.');
  // As in a whole user, what this service says itself is ignored.
  const named = Object.entries(value).filter(([name]) => !isReadOnly(name));
  return named.map(([name, part]) => ({ op, path: name, value: part }));
}

function apply(values: Values, operation: Operation): void {
  const target = targetOf(operation.path);
  const holder = target.isEnterprise ? part(values, enterpriseSchema) : values;
  if (target.condition) applyToSome(holder, target, operation);
  else if (target.part) applyToPart(holder, target, operation);
  else applyToWhole(holder, target, operation);
  if (isEmpty(holder[target.name])) unset(holder, target.name);
  if (isEmpty(values[enterpriseSchema])) unset(values, enterpriseSchema);
}

/** @throws ScimError */
function targetOf(path: string): Target {
  if (path.length > pathLengthMax) throw invalidPath(path);
  const lower = path.toLowerCase();
  const enterprise = enterpriseSchema.toLowerCase();
  if (lower === enterprise) {
    const attribute = { type: 'complex', of: enterpriseAttributes } as const;
    return { attribute, name: enterpriseSchema, condition: undefined, part: undefined, isEnterprise: false };
  }
  const isEnterprise = lower.startsWith(`${enterprise}:`);
  const core = `${userSchema}:`.toLowerCase();
  const skipped = isEnterprise ? enterprise.length + 1 : lower.startsWith(core) ? core.length : 0;
  const { name = '', condition, part: partName } = pathForm.exec(path.slice(skipped))?.groups ?? {};
  if (!isEnterprise && isReadOnly(name)) {
    throw new ScimError('VALIDATION_ERROR', 'mutability', `${name} cannot be changed.`);
  }
  if (!isEnterprise && name.toLowerCase() === 'password') throw noPasswords();
  const found = findAttribute(isEnterprise ? enterpriseAttributes : writable, name);
  if (!found) throw invalidPath(path);
  const of = 'of' in found[1] ? found[1].of : {};
  const inner = partName === undefined ? undefined : findAttribute(of, partName);
  if (partName !== undefined && !inner) throw invalidPath(path);
  return {
    attribute: found[1],
    name: found[0],
    condition: condition === undefined ? undefined : conditionOf(of, condition, path),
    part: inner,
    isEnterprise,
  };
}

function conditionOf(of: Attributes, text: string, path: string): Condition {
  const { name: written = '', value = '' } = conditionForm.exec(text)?.groups ?? {};
  const found = findAttribute(of, written);
  if (!found) throw invalidPath(path);
  const [name, attribute] = found;
  const read = readValue(attribute, parsed(value, path), name);
  if (typeof read !== 'string' && typeof read !== 'boolean') throw invalidPath(path);
  return { name, value: read };
}

/** Changes those of several values that a condition is true of; `add` makes one where there is none, as Entra expects. */
function applyToSome(
  holder: Values,
  { attribute, name, condition, part: inner }: Target,
  operation: Operation,
): void {
  const { op, path, value } = operation;
  if (attribute.type !== 'many' || !condition) throw invalidPath(path);
  const all = listIn(holder, name);
  const meant = all.filter((one) => isMeant(one, condition));
  if (op === 'remove') {
    for (const one of meant) if (inner) unset(one, inner[0]);
    holder[name] = all.filter((one) => !isEmpty(one) && (inner !== undefined || !meant.includes(one)));
    return;
  }
  if (meant.length === 0) {
    if (op === 'replace') throw new ScimError('VALIDATION_ERROR', 'noTarget', `${path} is true of no value.`);
    const made: Values = { [condition.name]: condition.value };
    all.push(made);
    meant.push(made);
  }
  for (const one of meant) {
    if (inner) put(one, inner, operation);
    else if (!isObject(value)) throw invalidValue(path, 'must be an object');
    else Object.assign(one, readValue({ type: 'complex', of: attribute.of }, value, path) ?? {});
  }
  leaveOnePrimary(all, meant);
  holder[name] = all.filter((one) => !isEmpty(one));
}

function applyToPart(holder: Values, { attribute, name, part: inner }: Target, operation: Operation): void {
  if (attribute.type !== 'complex' || !inner) throw invalidPath(operation.path);
  put(part(holder, name), inner, operation);
}

function applyToWhole(holder: Values, { attribute, name }: Target, { op, path, value }: Operation): void {
  if (op === 'remove') {
    if (name === 'active' || name === 'userName') {
      throw new ScimError('VALIDATION_ERROR', 'mutability', `${name} cannot be removed.`);
    }
    // Some directories name here what of it is to go: all of it would be too much.
    if (value !== undefined && value !== null)
      throw invalidValue(path, 'is removed as a whole, without a value');
    unset(holder, name);
    return;
  }
  const said = readValue(attribute, value, path);
  if (said === undefined) {
    if (name === 'active') throw invalidValue(path, 'must be true or false');
    if (op === 'replace') unset(holder, name);
  } else if (attribute.type === 'complex') {
    Object.assign(part(holder, name), said);
  } else if (attribute.type === 'many' && op === 'add') {
    const added = said as Values[];
    const all = [
      ...listIn(holder, name).filter((one) => !added.some((other) => isAlike(one, other))),
      ...added,
    ];
    leaveOnePrimary(all, added);
    holder[name] = all;
  } else {
    holder[name] = said;
  }
}

function put(
  holder: Values,
  [name, attribute]: readonly [string, Attribute],
  { op, path, value }: Operation,
): void {
  const said = op === 'remove' ? undefined : readValue(attribute, value, path);
  if (said === undefined) unset(holder, name);
  else holder[name] = said;
}

const unset = (holder: Values, name: string): boolean => Reflect.deleteProperty(holder, name);

/** The values of an object in an object, which is made where it is missing. */
function part(holder: Values, name: string): Values {
  const there = holder[name];
  if (isObject(there)) return there;
  return (holder[name] = {});
}

function listIn(holder: Values, name: string): Values[] {
  const there = holder[name];
  return Array.isArray(there) ? there : [];
}

function isMeant(one: Values, { name, value }: Condition): boolean {
  const own = one[name];
  if (typeof own !== 'string' || typeof value !== 'string') return own === value;
  return own.toLowerCase() === value.toLowerCase();
}

/** Where a change makes one primary, no other stays so: RFC 7643, 2.4. */
function leaveOnePrimary(all: readonly Values[], changed: readonly Values[]): void {
  if (!changed.some(({ primary }) => primary === true)) return;
  for (const one of all) if (one['primary'] === true && !changed.includes(one)) one['primary'] = false;
}

const isAlike = (one: Values, other: Values): boolean =>
  one['value'] !== undefined && one['value'] === other['value'] && one['type'] === other['type'];

const isEmpty = (value: Value | undefined): boolean =>
  typeof value === 'object' && Object.keys(value).length === 0;

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(/^(?:true|false)$/i.test(text) ? text.toLowerCase() : text);
  } catch {
    throw invalidPath(path);
  }
}

const invalidSyntax = (detail: string): ScimError =>
  new ScimError('VALIDATION_ERROR', 'invalidSyntax', detail);

const invalidPath = (path: string): ScimError =>
  new ScimError('VALIDATION_ERROR', 'invalidPath', `There is nothing to change at ${path.slice(0, 100)}.`);
