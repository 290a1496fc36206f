import { ErrorDetailSchema, FailureSchema, ReasonSchema, failure, type Refusal } from '@tenantry/envelope';
import { Type, type TSchema } from 'typebox';
import { failureBody, type FailureFormat } from '../failures/answers.ts';
import { headerName, pascalCase } from './names.ts';

const exampleRequestId = '4f1c1f9e-9a3c-4a0b-8f53-6d0f3a1c2b7e';
const exampleMoment = new Date('2026-01-31T12:00:00.000Z');

/** One response a status, with the schema and an example of every code that it may carry. */
export function refusalResponses(refusals: readonly Refusal[], format: FailureFormat): object {
  const statuses = [...new Set(refusals.map(({ statusCode }) => statusCode))];
  const responses = statuses.map((status) => {
    const alike = refusals.filter(({ statusCode }) => statusCode === status);
    return [status, responseOf(alike, format)] as const;
  });
  return Object.fromEntries(responses);
}

function responseOf(refusals: readonly Refusal[], format: FailureFormat): object {
  const [first, ...others] = refusals.map(({ code }) => failureSchema(format, code));
  const schema = others.length === 0 ? first : { oneOf: [first, ...others] };
  const examples = refusals.map((refusal) => [refusal.code, { value: exampleOf(refusal, format) }]);
  return {
    description: refusals.map(({ code, message }) => `${code}: ${message}`).join('\n\n'),
    ...headersOf(refusals),
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) as object } },
  };
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

const closed = { additionalProperties: false } as const;

/** A failure with one code, so that clients tell failures apart by it. */
function failureSchema(format: FailureFormat, code: string): TSchema {
  const title = `${pascalCase(code)}Failure`;
  const Code = Type.Unsafe<string>({ type: 'string', enum: [code] });
  if (format === 'plain') {
    const details = Type.Optional(Type.Array(ErrorDetailSchema));
    return Type.Object(
      {
        code: Code,
        message: Type.String(),
        reason: Type.Optional(ReasonSchema),
        details,
        requestId: Type.String(),
      },
      { ...closed, title },
    );
  }
  const { error, ...parts } = FailureSchema.properties;
  const coded = Type.Object({ ...error.properties, code: Code }, closed);
  return Type.Object({ ...parts, error: coded }, { ...closed, title });
}
