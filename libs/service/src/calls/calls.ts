import { inSpan, traceHeaders } from '@tenantry/tracing';
import { refuseInTransaction } from '@tenantry/tenancy/network';

/** What {@link callService} sends; headers as plain fields. */
export interface ServiceCall extends Omit<RequestInit, 'headers' | 'redirect'> {
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Calls another service like fetch, within the current trace. A redirect is an error: keys and tokens are meant only for the
 * service that was called.
 *
 * @param name names the call in a trace: `find lead`
 * @throws {NetworkInTransactionError} while a database transaction is open: ask before it, or after it
 * @example await callService('find lead', `${url}/api/leads/${id}`, { headers: { authorization }, signal });
 */
export async function callService(name: string, url: string | URL, call: ServiceCall): Promise<Response> {
  refuseInTransaction(name);
  return inSpan(name, { kind: 'client' }, () =>
    fetch(url, { ...call, headers: { ...call.headers, ...traceHeaders() }, redirect: 'error' }),
  );
}

/** Options of {@link callOutside}. */
export interface OutsideCall extends Omit<RequestInit, 'redirect'> {
  /** How long the whole exchange may take, its body included. */
  readonly timeoutMs: number;
  /** Maximum size of the response. */
  readonly bytesMax: number;
}

/** As {@link callOutside}. */
export type CallOutside = (name: string, url: string | URL, call: OutsideCall) => Promise<Response>;

/**
 * Calls a third party's server like fetch. It gets no trace headers, redirects are not followed, and time and size are limited:
 * the response comes with its body read.
 *
 * @param name names the call in a trace: `redeem code`
 * @throws {NetworkInTransactionError} while a database transaction is open
 * @throws {RangeError} for a larger response; a `TimeoutError` for a slower one
 */
export const callOutside: CallOutside = async (name, url, { timeoutMs, bytesMax, ...call }) => {
  refuseInTransaction(name);
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout;
  return inSpan(name, { kind: 'client' }, async () => {
    const answer = await fetch(url, { ...call, redirect: 'error', signal });
    const { status, headers } = answer;
    const body = await readAtMost(answer.body, bytesMax);
    return new Response(body.length === 0 ? null : body, { status, headers });
  });
};

/** Reads a body, and gives up beyond a size. @throws RangeError */
export async function readAtMost(body: unknown, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the rest.
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > bytesMax) throw new RangeError(`the answer is longer than ${bytesMax} bytes`);
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}
