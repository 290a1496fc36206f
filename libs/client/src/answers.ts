import type { Answer } from './methods.ts';
import type { Operation } from './requests.ts';

/** Reads a body: undefined if there is none, null if it is not JSON, which no response of Tenantry's is. */
export function parse(text: string): unknown {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}

interface Envelope {
  readonly data: unknown;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** What a call resolves to: without its envelope, a list as a page, a session without its tokens. */
export function answerOf(
  body: unknown,
  { headers }: Response,
  { rows }: Operation,
): Answer<unknown, unknown> {
  const answer = {
    data: body,
    meta: undefined,
    etag: headers.get('etag') ?? undefined,
    requestId: headers.get('x-request-id') ?? undefined,
  };
  if (body === undefined) return answer;
  if (isEnvelope(body as object)) {
    const { data, meta } = body as Envelope;
    return { ...answer, data: rows === undefined ? data : { rows: data, ...meta }, meta };
  }
  if (rows === undefined) return { ...answer, data: withoutTokens(body as object) };
  const { [rows]: listed, ...page } = body as Readonly<Record<string, unknown>>;
  return { ...answer, data: { rows: listed, ...page } };
}

const isEnvelope = (body: object): boolean => 'data' in body && 'error' in body && 'meta' in body;

/** Refresh and CSRF tokens never leave the client. */
function withoutTokens(body: object): object {
  const { session } = body as { readonly session?: object | null };
  if (session) for (const name of ownOfSessions) Reflect.deleteProperty(session, name);
  return body;
}

const ownOfSessions = ['token', 'refreshToken', 'csrfToken'];
