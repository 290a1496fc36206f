import { ErrorDetailSchema, FailureSchema, failure, type Refusal } from '@tenantry/envelope';
import { Type, type TSchema } from 'typebox';
import { failureBody, type FailureFormat } from '../failures/answers.ts';
import { reasonsOf, rules } from '../failures/vocabulary.ts';
import { ClosedObject } from '../resources/fields.ts';
import { headerName, pascalCase } from './names.ts';

const exampleRequestId = '4f1c1f9e-9a3c-4a0b-8f53-6d0f3a1c2b7e';
const exampleMoment = new Date('2026-01-31T12:00:00.000Z');

/** One response per status, with the schema and an example of every code that it may have. */
export function refusalResponses(refusals: readonly Refusal[], format: FailureFormat): object {
  const statuses = [...new Set(refusals.map(({ statusCode }) => statusCode))];
  const responses = statuses.map((status) => {
    const alike = refusals.filter(({ statusCode }) => statusCode === status);
    return [status, responseOf(alike, format)] as const;
  });
  return Object.fromEntries(responses);
}

function responseOf(refusals: readonly Refusal[], format: FailureFormat): object {
  const codes = [...new Set(refusals.map(({ code }) => code))];
  const [first, ...others] = codes.map((code) => failureSchema(format, code));
  const schema = others.length === 0 ? first : { oneOf: [first, ...others] };
  const named = refusals.map(
    (refusal, index) => [exampleName(refusal, refusals.slice(0, index)), refusal] as const,
  );
  const examples = named.map(([name, refusal]) => [name, { value: exampleOf(refusal, format) }]);
  return {
    description: named.map(([name, { message }]) => `${name}: ${message}`).join('\n\n'),
    ...headersOf(refusals),
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) as object } },
  };
}

/** `CONFLICT`, and `CONFLICT.QUOTE_SENT` for another cause of the same code. */
function exampleName({ code, reason }: Refusal, before: readonly Refusal[]): string {
  return reason !== undefined && before.some((other) => other.code === code) ? `${code}.${reason}` : code;
}

function exampleOf(refusal: Refusal, format: FailureFormat): object {
  if (format === 'envelope') return failure(refusal, exampleRequestId, exampleMoment);
  return failureBody(format, refusal, exampleRequestId);
}

function headersOf(refusals: readonly Refusal[]): object {
  const named = refusals.flatMap(({ headers = {} }) => Object.entries(headers));
  if (named.length === 0) return {};
  const headers = named.map(([name, example]) => [headerName(name), { schema: { type: 'string' }, example }]);
  return { headers: Object.fromEntries(headers) as object };
}

/** A finding, with the known rules. */
export const FindingSchema = ClosedObject(
  {
    ...ErrorDetailSchema.properties,
    rule: Type.Enum([...rules], { ...ErrorDetailSchema.properties.rule }),
  },
  { title: 'ErrorDetail' },
);

/** The reasons of a code; empty if it has none. */
function reasonOf(code: string): { readonly reason?: TSchema } {
  const reasons = reasonsOf(code);
  if (reasons.length === 0) return {};
  return { reason: Type.Optional(Type.Enum([...reasons], { description: 'why, where advice differs' })) };
}

/** An error with one code, so that clients can discriminate by it. */
function failureSchema(format: FailureFormat, code: string): TSchema {
  // Services that write refusals down differently call them differently: their documents are merged into one.
  const title = `${pascalCase(code)}${format === 'plain' ? 'Refusal' : 'Failure'}`;
  const Code = Type.Unsafe<string>({ type: 'string', enum: [code] });
  if (format === 'plain') {
    const details = Type.Optional(Type.Array(FindingSchema));
    return ClosedObject(
      { code: Code, message: Type.String(), ...reasonOf(code), details, requestId: Type.String() },
      { title },
    );
  }
  const { error, ...parts } = FailureSchema.properties;
  const { message } = error.properties;
  const details = Type.Array(FindingSchema);
  const coded = ClosedObject({ code: Code, message, ...reasonOf(code), details });
  return ClosedObject({ ...parts, error: coded }, { title });
}
