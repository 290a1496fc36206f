import type { FastifySchema } from 'fastify';
import { Type, type TProperties, type TSchema } from 'typebox';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether a replica may answer, so that the answer may be a second old: for lists, searches and statistics. A
     * client that sends the Consistency-Token of its last change sees that change all the same.
     */
    mayReadReplica?: boolean;
  }
}

/** Passes the position of a client's last write from that response to its next reads. */
export const consistencyTokenHeader = 'consistency-token';

const example = 'q83Jx0aVb1c.1a2f5d8';

const SentToken = Type.Optional(
  Type.String({
    description:
      'the Consistency-Token of the latest change that the list has to show; without it, the list may be a second old',
    examples: [example],
  }),
);

const GivenToken = Type.Optional(
  Type.String({
    description:
      'where the service has read replicas: send it back with requests for lists that have to show this change',
    examples: [example],
  }),
);

/** The documented headers of a route, with the token if it may read a replica. */
export function withSentToken(headers: unknown, mayReadReplica = false): unknown {
  if (!mayReadReplica) return headers;
  const { properties = {} } = (headers ?? {}) as { readonly properties?: TProperties };
  return Type.Object({ ...properties, [consistencyTokenHeader]: SentToken });
}

/** Says in the OpenAPI document that the answers to a change carry the token. */
export function withGivenToken(schema: FastifySchema = {}): FastifySchema {
  const answers = (schema.response ?? {}) as Readonly<
    Record<string, TSchema & { readonly headers?: object }>
  >;
  const response = Object.entries(answers).map(([status, answer]) =>
    status.startsWith('2')
      ? [status, { ...answer, headers: { ...answer.headers, 'Consistency-Token': GivenToken } }]
      : [status, answer],
  );
  return { ...schema, response: Object.fromEntries(response) as object };
}
