import type { ErrorDetail } from '@tenantry/envelope';
import type { TSchema } from 'typebox';
import { ajv } from './ajv.ts';
import { findingsIn } from './findings.ts';
import { isAllStorable } from './text.ts';

/** Checks a value like a request's body, and normalizes its texts in place; returns what is wrong with it. */
export type Check = (value: object) => readonly ErrorDetail[];

/**
 * Creates the check of a closed schema, for values that do not come as a JSON body, such as the rows of a file.
 *
 * @param part the name of the whole value, for findings about no single field: `row`
 */
export function checkBy(schema: TSchema, part: string): Check {
  const validate = ajv.compile(schema);
  return (value) => {
    if (validate(value) && isAllStorable(value)) return [];
    return findingsIn({ errors: validate.errors ?? [], value, part }).details;
  };
}
