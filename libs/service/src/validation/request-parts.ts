import type { ErrorDetail } from '@tenantry/envelope';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { ajv } from './ajv.ts';
import { findingsIn, InvalidRequest, type Findings } from './findings.ts';
import { isAllStorable } from './text.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Findings of further rules for a body that the schema refuses, so that one response lists everything. The handler applies
     * these rules to a body that the schema accepts.
     */
    readonly findingsBeyond?: (body: unknown) => readonly ErrorDetail[];
  }
}

/** The parts of a request that have schemas, in the order in which Fastify checks them. */
const parts = { params: 'path', body: 'body', querystring: 'query', headers: 'headers' } as const;
type Part = keyof typeof parts;
const order = Object.keys(parts) as readonly Part[];

interface PartSchema {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
}

type Checked = { readonly value: unknown } | { readonly error: InvalidRequest };

/** Compiles a route's schema to the check that Fastify calls for one part of a request. */
export const validatorCompiler: FastifySchemaCompiler<unknown> = ({ schema, httpPart = 'body' }) => {
  const validate = ajv.compile(schema as object);
  const part = parts[httpPart as Part];
  const numbers = httpPart === 'body' ? [] : numberNames(schema as PartSchema);

  return (data: unknown): Checked => {
    const value = numbers.length === 0 ? data : readNumbers(data as Record<string, unknown>, numbers);
    // Node has read the headers from bytes: each of their texts can be stored.
    const valid = validate(value) && (httpPart === 'headers' || isAllStorable(value));
    if (valid) return { value };
    return { error: new InvalidRequest([findingsIn({ errors: validate.errors ?? [], value, part })]) };
  };
};

/**
 * Fastify stops at the first invalid part: this checks the other parts as well, and the further rules, so that one response
 * lists everything.
 */
export function wholeRefusal(error: InvalidRequest, request: FastifyRequest): InvalidRequest {
  const { validationContext } = error as { validationContext?: string };
  const unasked = order.slice(order.indexOf(validationContext as Part) + 1);
  const findings: Findings[] = [...error.findings];
  for (const part of unasked) {
    const check = request.getValidationFunction(part) as ((data: unknown) => Checked) | undefined;
    const checked = check?.(request[part === 'querystring' ? 'query' : part] ?? null);
    if (checked && 'error' in checked) findings.push(...checked.error.findings);
  }
  const named = new Set(findings.flatMap(({ details }) => details.map(({ field }) => field)));
  const beyond = request.routeOptions.config.findingsBeyond?.(request.body) ?? [];
  const details = beyond.filter(({ field }) => !named.has(field));
  if (details.length > 0) findings.push({ details, more: 0 });
  return findings.length === error.findings.length ? error : new InvalidRequest(findings);
}

function numberNames(schema: PartSchema): string[] {
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
