import { ApiError, type ErrorDetail } from '@tenantry/envelope';
import type { ErrorObject } from 'ajv';
import { fieldPath, keysOf } from './fields.ts';
import { withoutNoise } from './noise.ts';
import { findUnstorableTexts } from './text.ts';
import { brokenRuleOf } from './wording.ts';

/** Maximum findings reported for one request; of the rest only the number is given. */
const reportedMax = 50;

/** The findings of a value, and the number of further ones. */
export interface Findings {
  readonly details: readonly ErrorDetail[];
  readonly more: number;
}

/** A value that does not match its schema. */
export interface Examined {
  readonly errors: readonly ErrorObject[];
  readonly value: unknown;
  /** The name of the whole value: `body`. */
  readonly part: string;
}

/** Collects Ajv's findings of a value, and its texts that cannot be stored, in linear time. */
export function findingsIn({ errors, value, part }: Examined): Findings {
  const broken = withoutNoise(errors);
  const details: ErrorDetail[] = broken.slice(0, reportedMax).map((error) => ({
    field: fieldPath(value, keysOf(error)) || part,
    ...brokenRuleOf(error),
  }));
  let more = broken.length - details.length;
  const refused = new Set(details.map(({ field }) => field));
  findUnstorableTexts(value, (keys) => {
    if (details.length === reportedMax) {
      more += 1;
      return;
    }
    const field = fieldPath(value, keys()) || part;
    // A field is named only once: one that breaks another rule is refused already.
    if (!refused.has(field)) details.push({ field, rule: 'storable', message: unstorable });
  });
  return { details, more };
}

const unstorable = 'must not contain NUL or lone surrogates';

/** A request that does not match its schemas: all findings in one error. */
export class InvalidRequest extends ApiError {
  readonly findings: readonly Findings[];

  constructor(findings: readonly Findings[]) {
    const all = findings.flatMap(({ details }) => details);
    const reported = all.slice(0, reportedMax);
    const more = all.length - reported.length + findings.reduce((sum, part) => sum + part.more, 0);
    const summary = reported.map(({ field, message }) => `${field} ${message}`).join('; ');
    super('VALIDATION_ERROR', `The request is not valid: ${summary.slice(0, 500)}.`, {
      details: more === 0 ? reported : [...reported, beyond(more)],
    });
    this.findings = findings;
  }
}

const beyond = (more: number): ErrorDetail => ({
  field: 'request',
  rule: 'more',
  params: { count: more },
  message: `has ${more} more ${more === 1 ? 'finding' : 'findings'}`,
});
