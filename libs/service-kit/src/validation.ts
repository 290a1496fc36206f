import { ApiError } from '@tenantry/envelope';
import { Ajv } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import { describeFindings } from './findings.ts';
import { addStandardFormats } from './formats.ts';
import { findUnstorableText } from './text.ts';

/**
 * One strict Ajv for requests and configuration: it neither coerces nor removes (Fastify's defaults turn
 * `null` into 0 and drop unknown fields in silence), and it reports every finding at once.
 */
export const ajv = new Ajv({
  allErrors: true,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: true,
  strict: true,
  strictTypes: false,
  strictTuples: false,
});
addStandardFormats(ajv);

/** The part of a JSON schema that the kit itself looks into. */
export interface ObjectSchema {
  readonly type?: unknown;
  readonly additionalProperties?: unknown;
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
}

const partNames: Readonly<Record<string, string>> = { querystring: 'query', params: 'path' };

/** Compiles a route's schema to the check that Fastify calls for `body`, `querystring`, `params` or `headers`. */
export const validatorCompiler: FastifySchemaCompiler<unknown> = ({
  schema: routeSchema,
  httpPart = 'body',
}) => {
  const schema = routeSchema as ObjectSchema;
  const validate = ajv.compile(schema);
  const part = partNames[httpPart] ?? httpPart;
  const numbers = httpPart === 'body' ? [] : numberNames(schema);

  return (data: unknown) => {
    const value = numbers.length === 0 ? data : readNumbers(data as Record<string, unknown>, numbers);
    if (!validate(value)) return { error: invalid(describeFindings(validate.errors ?? [], part)) };
    const unstorable = findUnstorableText(value);
    if (unstorable !== undefined) {
      return {
        error: invalid([{ field: unstorable || part, message: 'must not contain NUL or lone surrogates' }]),
      };
    }
    return { value };
  };
};

function invalid(details: { field: string; message: string }[]): ApiError {
  const summary = details.map(({ field, message }) => `${field} ${message}`).join('; ');
  return new ApiError('VALIDATION_ERROR', `The request is not valid: ${summary.slice(0, 500)}.`, { details });
}

function numberNames(schema: ObjectSchema): string[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, { type }]) => type === 'integer' || type === 'number')
    .map(([name]) => name);
}

/** Plain decimal digits alone: `1e3`, `0x10`, `+1` and ` 1` stay text, which the schema then refuses. */
const plainNumber = /^-?\d{1,15}(?:\.\d{1,15})?$/;

function readNumbers(data: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const value = { ...data };
  for (const name of names) {
    const text = value[name];
    if (typeof text === 'string' && plainNumber.test(text)) value[name] = Number(text);
  }
  return value;
}
