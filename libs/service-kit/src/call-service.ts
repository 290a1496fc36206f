import { inSpan, traceHeaders } from '@tenantry/tracing';
import { refuseInTransaction } from '@tenantry/transaction-guard';

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
