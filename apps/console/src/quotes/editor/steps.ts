import type { api } from '@tenantry/client';
import type { Language } from '../../design/language.ts';
import {
  headFields,
  isBlank,
  isUnused,
  lineFields,
  packageFields,
  sameIn,
  type Draft,
  type DraftHead,
  type DraftLine,
  type DraftPackage,
  type IsSame,
  type DraftCustomer,
} from './draft.ts';
import { readHead, readLine, readPackage, type LineBody } from './reading.ts';

/** A change of a quote that is one request. */
export type Step =
  | {
      readonly kind: 'change-head';
      readonly head: Partial<DraftHead>;
      readonly body: api.QuoteChanges;
    }
  | {
      readonly kind: 'add-package';
      readonly workPackage: DraftPackage;
      readonly body: api.NewWorkPackage;
    }
  | {
      readonly kind: 'change-package';
      readonly id: string;
      readonly workPackage: DraftPackage;
      readonly body: api.WorkPackageChanges;
    }
  | { readonly kind: 'delete-package'; readonly id: string }
  | { readonly kind: 'order-packages'; readonly ids: readonly string[] }
  | {
      readonly kind: 'add-line';
      readonly packageId: string;
      readonly line: DraftLine;
      readonly body: api.NewLineItem;
    }
  | {
      readonly kind: 'change-line';
      readonly packageId: string;
      readonly id: string;
      readonly line: DraftLine;
      readonly body: api.LineItemChanges;
    }
  | { readonly kind: 'delete-line'; readonly packageId: string; readonly id: string }
  | { readonly kind: 'order-lines'; readonly packageId: string; readonly ids: readonly string[] };

/** What steps lead from and to. */
export interface Distance {
  /** What the API has. */
  readonly saved: Draft;
  /** What is typed. */
  readonly draft: Draft;
  readonly language: Language;
  /** What waits for a decision, by the key of a line or package, or by a field of the head. */
  readonly isHeld: (at: string) => boolean;
}

/**
 * What is left to send until the API has what is typed, in an order in which each step is possible. What is not complete yet
 * is left out.
 */
export function* stepsBetween(distance: Distance): Generator<Step> {
  const { saved, draft } = distance;
  const reader = { ...distance, isSame: sameIn(distance.language) };
  yield* headSteps(reader);
  for (const workPackage of draft.packages) {
    if (reader.isHeld(workPackage.key)) continue;
    const before = byId(saved.packages, workPackage.id);
    if (before) yield* packageSteps(before, workPackage, reader);
    else yield* additionOf(workPackage);
  }
  const kept = idsOf(draft.packages);
  for (const id of idsOf(saved.packages)) if (!kept.includes(id)) yield { kind: 'delete-package', id };
  const ids = idsOf(saved.packages).filter((id) => kept.includes(id));
  if (!isSameOrder(ids, kept)) yield { kind: 'order-packages', ids: kept };
}

interface Reader extends Distance {
  readonly isSame: IsSame;
}

function* headSteps({ saved, draft, language, isHeld, isSame }: Reader): Generator<Step> {
  const values = readHead(draft, language);
  const changed = headFields.filter(
    (field) => values[field] !== undefined && !isHeld(field) && !isSame(field, saved[field], draft[field]),
  );
  const isOther = saved.customer.id !== draft.customer.id && !isHeld('customer');
  if (changed.length === 0 && !isOther) return;
  const head = Object.fromEntries(changed.map((field) => [field, draft[field]]));
  const body = Object.fromEntries(changed.map((field) => [field, values[field]]));
  yield {
    kind: 'change-head',
    head: { ...head, ...(isOther && { customer: draft.customer }) },
    body: { ...body, ...(isOther && customerIn(draft.customer)) },
  };
}

/** One that is new gets its name with the quote. */
const customerIn = ({ id, name, isNew }: DraftCustomer) => ({
  customerId: id,
  ...(isNew && { customerName: name }),
});

function* additionOf(workPackage: DraftPackage): Generator<Step> {
  const body = readPackage(workPackage);
  if (body && !isUnused(workPackage)) yield { kind: 'add-package', workPackage, body };
}

function* packageSteps(before: DraftPackage, now: DraftPackage, reader: Reader): Generator<Step> {
  const { id = '' } = before;
  const { isSame, isHeld, language } = reader;
  const values = readPackage(now);
  const changed = packageFields.filter((field) => !isSame(field, before[field], now[field]));
  if (values && changed.length > 0) {
    const body = Object.fromEntries(changed.map((field) => [field, values[field]]));
    yield { kind: 'change-package', id, workPackage: now, body };
  }
  for (const line of now.lines) {
    const body = isBlank(line) || isHeld(line.key) ? undefined : readLine(line, language);
    if (body) yield* lineSteps(id, { before: byId(before.lines, line.id), line, body }, isSame);
  }
  const kept = idsOf(now.lines);
  for (const lineId of idsOf(before.lines)) {
    if (!kept.includes(lineId)) yield { kind: 'delete-line', packageId: id, id: lineId };
  }
  const ids = idsOf(before.lines).filter((lineId) => kept.includes(lineId));
  if (!isSameOrder(ids, kept)) yield { kind: 'order-lines', packageId: id, ids: kept };
}

interface TypedLine {
  readonly before: DraftLine | undefined;
  readonly line: DraftLine;
  readonly body: LineBody;
}

function* lineSteps(packageId: string, { before, line, body }: TypedLine, isSame: IsSame): Generator<Step> {
  if (!before) {
    yield { kind: 'add-line', packageId, line, body };
    return;
  }
  const changed = lineFields.filter((field) => !isSame(field, before[field], line[field]));
  if (changed.length === 0) return;
  const changes = Object.fromEntries(changed.map((field) => [field, body[field]]));
  yield { kind: 'change-line', packageId, id: before.id ?? '', line, body: changes };
}

const byId = <Item extends { readonly id?: string | undefined }>(
  items: readonly Item[],
  id: string | undefined,
): Item | undefined => (id === undefined ? undefined : items.find((item) => item.id === id));

/** The ids of what was saved, in order. */
export const idsOf = (items: readonly { readonly id?: string | undefined }[]): readonly string[] =>
  items.flatMap(({ id }) => (id === undefined ? [] : [id]));

/** Whether two lists name the same in the same order. */
export const isSameOrder = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id, index) => id === other[index]);

/** What is saved once a step was done; `id` is that of what it added. */
export function savedAfter(saved: Draft, step: Step, id?: string): Draft {
  if (step.kind === 'change-head') return { ...saved, ...step.head };
  return { ...saved, packages: packagesAfter(saved.packages, step, id) };
}

type PackageStep = Exclude<Step, { kind: 'change-head' }>;

function packagesAfter(packages: readonly DraftPackage[], step: PackageStep, id: string | undefined) {
  switch (step.kind) {
    case 'add-package':
      return [...packages, { ...step.workPackage, id, lines: [] }];
    case 'delete-package':
      return packages.filter((workPackage) => workPackage.id !== step.id);
    case 'order-packages':
      return inOrder(packages, step.ids);
    case 'change-package': {
      const { name, description } = step.workPackage;
      return packages.map((one) => (one.id === step.id ? { ...one, name, description } : one));
    }
    default:
      return packages.map((one) =>
        one.id === step.packageId ? { ...one, lines: linesAfter(one.lines, step, id) } : one,
      );
  }
}

type LineStep = Extract<Step, { readonly packageId: string }>;

function linesAfter(lines: readonly DraftLine[], step: LineStep, id: string | undefined) {
  switch (step.kind) {
    case 'add-line':
      return [...lines.filter((line) => line.id !== undefined), { ...step.line, id }];
    case 'change-line':
      return lines.map((line) => (line.id === step.id ? { ...step.line, id: step.id } : line));
    case 'delete-line':
      return lines.filter((line) => line.id !== step.id);
    case 'order-lines':
      return inOrder(lines, step.ids);
  }
}

function inOrder<Item extends { readonly id?: string | undefined }>(
  items: readonly Item[],
  ids: readonly string[],
): readonly Item[] {
  return ids.flatMap((id) => items.find((item) => item.id === id) ?? []);
}

/** The draft once a step has added something: that is known by its id from then on. */
export function draftAfter(draft: Draft, step: Step, id?: string): Draft {
  if (id === undefined || (step.kind !== 'add-package' && step.kind !== 'add-line')) return draft;
  const { key } = step.kind === 'add-package' ? step.workPackage : step.line;
  const named = <Item extends { readonly key: string }>(item: Item) =>
    item.key === key ? { ...item, id } : item;
  const packages = draft.packages.map((one) => named({ ...one, lines: one.lines.map(named) }));
  return { ...draft, packages };
}
