import { randomBytes, randomUUID } from 'node:crypto';

const acceptableRequestId = /^[A-Za-z0-9._-]{1,64}$/;

/** The client's request id when it can stand in every log line as it is, else a new one. */
export function requestIdOf(given: string | undefined): string {
  return given !== undefined && acceptableRequestId.test(given) ? given : randomUUID();
}

const idDigits = 48;
const batchBytes = 24 * 512;
let batch = '';
let used = 0;

/** The root of a new trace: W3C Trace Context, 3.2, sampled so that services that record do so. */
export function newTraceparent(): string {
  // Random bytes are drawn for many traces at once: one by one they would cost as much as the rest of a request.
  if (used >= batch.length) {
    batch = randomBytes(batchBytes).toString('hex');
    used = 0;
  }
  const traceId = batch.slice(used, used + 32);
  const parentId = batch.slice(used + 32, used + idDigits);
  used += idDigits;
  return `00-${traceId}-${parentId}-01`;
}
