import { ExplainedError } from '@tenantry/dev-database';

/** What a service may be made with. */
export const parts = ['audit', 'events', 'idempotency', 'mail'] as const;

/** One of {@link parts}. */
export type Part = (typeof parts)[number];

/** The parts that `--with` names. @throws ExplainedError for one that there is not. */
export function readParts(text: string | undefined): readonly Part[] {
  const names = (text ?? '').split(',').filter((name) => name !== '');
  const unknown = names.find((name) => !(parts as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new ExplainedError(
      `There is no part "${unknown}": a service is made with any of ${parts.join(', ')}.`,
    );
  return parts.filter((part) => names.includes(part));
}

/** Whether a condition holds, such as `audit|mail&!events`. */
export function holds(condition: string, chosen: readonly Part[]): boolean {
  const isChosen = (term: string) =>
    term.startsWith('!') !== (chosen as readonly string[]).includes(term.replace('!', ''));
  return condition.split('|').some((all) => all.split('&').every(isChosen));
}

/** The models of every service, in the files of the library that defines their tables. */
const standardModels = [
  'libs/business-service/sql/events.prisma',
  'libs/business-service/sql/organization-ends.prisma',
  'libs/tenancy/sql/storage.prisma',
];

/** Those of a part. */
const modelsOfParts: readonly (readonly [condition: string, file: string])[] = [
  ['audit|idempotency|mail', 'libs/outbox/sql/due-work.prisma'],
  ['mail', 'libs/outbox/sql/outbox.prisma'],
  ['audit', 'libs/business-service/sql/audit.prisma'],
  ['idempotency', 'libs/business-service/sql/idempotency.prisma'],
];

/** The files with the models that a service begins with. */
export const modelFiles = (chosen: readonly Part[]): readonly string[] => [
  ...standardModels,
  ...modelsOfParts.filter(([condition]) => holds(condition, chosen)).map(([, file]) => file),
];
