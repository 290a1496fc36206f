import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import type { FailureFormat } from '../failures/answers.ts';
import type { Refusal } from '@tenantry/envelope';
import { refusalsOf } from '../failures/operation-refusals.ts';
import { unknownWordIn } from '../failures/vocabulary.ts';
import { withSentToken } from '../resources/consistency-tokens.ts';
import { routeName } from '../routes/methods.ts';
import { noBody } from '../validation/closed-schemas.ts';
import { pascalCase } from './names.ts';
import { refusalResponses } from './responses.ts';

const idForm = /^[a-z][A-Za-z0-9]*$/;

/**
 * Refuses to boot a described route without an operationId of its own: generated clients name their functions by it.
 * Any refusal that it does not declare is logged from then on.
 */
export function requireOperationIds(app: FastifyInstance): void {
  const routeById = new Map<string, string>();
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD' || route.schema?.hide === true) return;
    const name = routeName(route);
    const id = route.schema?.operationId;
    if (id === undefined || !idForm.test(id)) {
      throw new Error(
        `${name} has no operationId: name it in its schema by a verb and a noun, such as listLeads.`,
      );
    }
    const other = routeById.get(id);
    if (other !== undefined) throw new Error(`${other} and ${name} both have the operationId ${id}.`);
    routeById.set(id, name);
    route.config = { ...route.config, isDescribed: true };
  });
}

/** Refuses to describe a route with an error that clients have no message for. */
function assertKnown(refusals: readonly Refusal[], route: RouteOptions): void {
  for (const refusal of refusals) {
    const unknown = unknownWordIn(refusal);
    if (unknown === undefined) continue;
    throw new Error(
      `${routeName(route)} refuses with ${unknown}: add it to the service in libs/contracts/src/services.ts.`,
    );
  }
}

/** The parts of an operation that @fastify/swagger does not handle; {@link finishOperations} inserts them. */
export const refusedKey = 'x-refused';

type DescribedSchema = FastifySchema & Readonly<Record<typeof refusedKey, object>>;

/** The schema of a route as it is documented. */
export function describeOperation(
  schema: FastifySchema,
  route: RouteOptions,
  format: FailureFormat,
): DescribedSchema {
  const { body, querystring, headers, response, operationId = '' } = schema;
  const access = route.config?.access ?? 'public';
  const name = pascalCase(operationId);
  const refusals = refusalsOf(route);
  assertKnown(refusals, route);
  return {
    ...schema,
    ...(querystring ? { querystring: withoutDefaulted(querystring) } : {}),
    headers: withSentToken(headers, route.config?.mayReadReplica),
    ...bodyOf(body, { title: `${name}Body`, streams: route.config?.streams }),
    response: namedAnswers(response as Answers | undefined, `${name}Answer`),
    ...(access === 'public' ? {} : { security: [{ bearer: [] }], 'x-access': access }),
    [refusedKey]: refusalResponses(refusals, format),
  };
}

type Streams = string | readonly string[] | undefined;

/** The body of a route; one that is streamed has no schema to validate it by. */
function bodyOf(body: unknown, { title, streams }: { title: string; streams: Streams }): object {
  if (streams !== undefined) {
    const mediaTypes = [streams].flat();
    const isText = mediaTypes.every((mediaType) => mediaType.startsWith('text/'));
    return { consumes: mediaTypes, body: { title, type: 'string', ...(!isText && { format: 'binary' }) } };
  }
  return { body: body === noBody || body === undefined ? undefined : { title, ...(body as object) } };
}

type Answers = Readonly<Record<string, { readonly type?: unknown }>>;

function namedAnswers(answers: Answers = {}, title: string): object {
  const named = Object.entries(answers).map(([status, schema]) =>
    status.startsWith('2') && schema.type !== 'null' ? [status, { title, ...schema }] : [status, schema],
  );
  return Object.fromEntries(named) as object;
}

/** Query parameters with a default are optional, although the handler always gets a value. */
function withoutDefaulted(query: unknown): object {
  const { required = [], properties = {}, ...rest } = query as QuerySchema;
  return {
    ...rest,
    properties,
    required: required.filter((name) => properties[name]?.default === undefined),
  };
}

interface QuerySchema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>;
}
