import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '@tenantry/envelope';
import { failureBody, type FailureFormat } from '../failures/answers.ts';

/** The answer under way on a connection, as node:http itself looks it up before it writes past it. */
interface ServerSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null;
}

/** Connections whose last answers are awaited; what else they send is not read. */
const ending = new WeakSet<Socket>();

/**
 * Refuses what is not even HTTP on the bare socket. An answer that is under way, or owed to a request that arrived
 * whole, is finished first: these bytes would be read as a part of it, or in its place.
 */
export function answerBrokenRequest(
  error: Error & { code?: string },
  socket: ServerSocket,
  format: FailureFormat,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const answer = socket._httpMessage;
  if (answer && (answer.headersSent || answer.req.complete)) {
    endAfterAnswers(socket);
    return;
  }
  const { refusal, statusLine } = brokenRequest(error.code);
  const requestId = randomUUID();
  const body = JSON.stringify(failureBody(format, refusal, requestId));
  const head = [
    `HTTP/1.1 ${statusLine}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function endAfterAnswers(socket: ServerSocket): void {
  if (ending.has(socket)) return;
  ending.add(socket);
  socket.pause();
  const awaitNext = (): void => {
    const answer = socket._httpMessage;
    if (answer) answer.once('close', () => setImmediate(awaitNext));
    else socket.destroySoon();
  };
  awaitNext();
}

function brokenRequest(code: string | undefined): { refusal: ApiError; statusLine: string } {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = 'The path and headers are larger than 16 KiB.';
    return {
      refusal: new ApiError('HEADERS_TOO_LARGE', message),
      statusLine: '431 Request Header Fields Too Large',
    };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { refusal: requestTimeout(), statusLine: '408 Request Timeout' };
  }
  return {
    refusal: new ApiError('VALIDATION_ERROR', 'This is not a valid HTTP request.'),
    statusLine: '400 Bad Request',
  };
}

/** The client is the one that is slow: RFC 9110, 15.5.9. */
export function requestTimeout(): ApiError {
  return new ApiError('REQUEST_TIMEOUT', 'The request did not arrive in time.', {
    statusCode: 408,
    headers: { connection: 'close' },
  });
}
