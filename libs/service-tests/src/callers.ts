import type { Service } from '@tenantry/service/http';

/** What an answer of a business API may hold; the test knows which part it asked for. */
export interface AnswerBody<Data> {
  readonly data: Data;
  readonly error: { readonly code: string; readonly details: readonly { field: string; message: string }[] };
  readonly meta: {
    readonly requestId: string;
    readonly total: number;
    readonly page: number;
    readonly pageSize: number;
  };
}

/** An answer, parsed. */
export interface Answer<Body> {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Body;
  readonly text: string;
}

/** The methods that a test may send. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What goes with a request. */
export interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Somebody who calls the service. */
export interface Caller<Body = AnswerBody<unknown>> {
  /** Empty for a caller without one. */
  readonly organizationId: string;
  send(method: Method, url: string, sent?: Sent): Promise<Answer<Body>>;
}

/** A caller with this Authorization header, or none. */
export function createCaller<Body>(
  app: Service,
  { authorization, organizationId = '' }: { authorization?: string | undefined; organizationId?: string },
): Caller<Body> {
  return {
    organizationId,
    async send(method, url, { body, headers } = {}) {
      const answer = await app.inject({
        method,
        url,
        headers: { ...(authorization !== undefined && { authorization }), ...headers },
        ...(body !== undefined && { payload: body as object }),
      });
      const { statusCode: status, headers: answered, body: text } = answer;
      const isJson = String(answered['content-type']).startsWith('application/json');
      const value: unknown = isJson ? JSON.parse(text) : null;
      return { status, headers: answered, body: value as Body, text };
    },
  };
}

/**
 * The data of an answer.
 *
 * @throws {Error} with its text where its status is not 200
 */
export async function answered<Data>(answer: Promise<Answer<AnswerBody<unknown>>>): Promise<Data> {
  const { status, body, text } = await answer;
  if (status !== 200) throw new Error(text);
  return body.data as Data;
}

/** What a refusal says. */
export interface Refused {
  readonly status: number;
  readonly data: unknown;
  readonly code: string;
  readonly fields: readonly string[];
}

/** Takes out of an answer what a refusal says. */
export function refusal({ status, body }: Answer<AnswerBody<unknown>>): Refused {
  const { data, error } = body;
  return { status, data, code: error.code, fields: error.details.map(({ field }) => field) };
}

/** A request that is refused for these fields. */
export const invalid = (...fields: readonly string[]): Refused => ({
  status: 400,
  data: null,
  code: 'VALIDATION_ERROR',
  fields,
});

/** Something that is not there, or belongs to another organization. */
export const notFound: Refused = { status: 404, data: null, code: 'NOT_FOUND', fields: [] };
