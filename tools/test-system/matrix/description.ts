import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { nameOf, type DescribedAnswer, type Operation, type Schema } from './operations.ts';
import type { WireAnswer } from './wire.ts';

const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
addFormats.default(ajv);
ajv.addFormat('date-or-time', /^\d{4}-\d{2}-\d{2}(?:T.+)?$/);

/** By the text of their schema: operations share the schemas of what they refuse. */
const validators = new Map<string, ValidateFunction>();

/** Says in what an answer is not as the document describes it; undefined when it is. */
export function departureFromDocument(operation: Operation, answer: WireAnswer): string | undefined {
  const described = operation.answers[answer.status];
  const departure = described ? departureOf(described, answer) : 'is not documented';
  if (departure === undefined) return undefined;
  return `${nameOf(operation)} answers ${answer.status}, which ${departure}: ${answer.text.slice(0, 500)}`;
}

function departureOf({ content }: DescribedAnswer, { headers, text }: WireAnswer): string | undefined {
  if (content === undefined) return text === '' ? undefined : 'has a body that is not documented';
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';');
  const schema = content[mediaType]?.schema;
  if (schema === undefined) return `is documented as ${Object.keys(content).join(', ')}, not as ${mediaType}`;
  const isJson = mediaType === 'application/json';
  const departure = departureFromSchema(schema, isJson ? JSON.parse(text) : text);
  return departure && `is documented otherwise (${departure})`;
}

/** Says in what a value does not fit a schema; undefined when it does. */
export function departureFromSchema(schema: Schema, value: unknown): string | undefined {
  const text = JSON.stringify(schema);
  const validate = validators.get(text) ?? ajv.compile(schema);
  validators.set(text, validate);
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}
