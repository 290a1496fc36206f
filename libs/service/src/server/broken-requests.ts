import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { ApiError, type Refusal } from '@tenantry/envelope';
import {
  failureBody,
  failureMediaType,
  refusalOf,
  type FailureFormat,
  type FailureFormatOf,
} from '../failures/answers.ts';
import { standardHeaders } from './standard-headers.ts';

/** How a service handles bytes that are not HTTP. */
export interface BrokenRequests {
  /** Formats a refusal; the path is empty if it cannot be read. */
  readonly formatOf: FailureFormatOf;
  /** Counts a broken request of a peer; rejects with the error to send instead. */
  readonly count: ((peer: string) => Promise<unknown>) | undefined;
}

/** The response in progress on a connection, looked up as node:http itself does. */
interface ServerSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null;
}

/** The error of node:http for bytes that it could not parse. */
export interface ParseError extends Error {
  readonly code?: string | undefined;
  readonly rawPacket?: unknown;
}

/** Connections whose last responses are being written or awaited; further bytes are not read. */
const ending = new WeakSet<Socket>();

/**
 * Refuses bytes that are not HTTP directly on the socket. A response in progress, or one due to a complete request, is finished
 * first: otherwise the refusal would be read as a part of it, or in its place.
 */
export function answerBrokenRequest(error: ParseError, socket: ServerSocket, broken: BrokenRequests): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  refuseOnSocket(socket, brokenRequest(error.code), { path: pathIn(error.rawPacket), broken });
}

/** The path of a packet that begins with a request line; empty for any other. */
function pathIn(packet: unknown): string {
  if (!Buffer.isBuffer(packet)) return '';
  return requestLine.exec(packet.toString('latin1', 0, requestLineBytesMax))?.[1] ?? '';
}

/** Refuses tunnels, which node:http would end without an answer: RFC 9110, 9.3.6. */
export function refuseTunnels(server: Server, broken: BrokenRequests): void {
  server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    // From here on nothing else reads this socket.
    socket.on('error', () => socket.destroy());
    refuseOnSocket(socket as ServerSocket, noTunnels, { path: '', broken });
  });
}

const noTunnels = new ApiError('METHOD_NOT_ALLOWED', 'CONNECT is not supported here.');
const requestLine = /^[A-Z]+ (\/[^ ?\r\n]*)/;
const requestLineBytesMax = 1_024;
const lingerMs = 2_000;

interface Unread {
  readonly path: string;
  readonly broken: BrokenRequests;
}

function refuseOnSocket(socket: ServerSocket, refusal: Refusal, { path, broken }: Unread): void {
  if (ending.has(socket)) return;
  ending.add(socket);
  const answer = socket._httpMessage;
  if (answer && (answer.headersSent || answer.req.complete)) {
    endAfterAnswers(socket);
    return;
  }
  const write = (written: Refusal): void => {
    if (!socket.writable) return;
    socket.end(answerOf(written, broken.formatOf(path)));
    // By now, a client that continues sending or never ends its side has had time to read this.
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
  if (!broken.count) write(refusal);
  else {
    broken.count(socket.remoteAddress ?? '').then(
      () => write(refusal),
      (error: unknown) => write(refusalOf(error)),
    );
  }
}

function answerOf(refusal: Refusal, format: FailureFormat): string {
  const requestId = randomUUID();
  const body = JSON.stringify(failureBody(format, refusal, requestId));
  const fields = {
    'content-type': failureMediaType(format),
    'content-length': Buffer.byteLength(body),
    ...standardHeaders,
    ...refusal.headers,
    'x-request-id': requestId,
    connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${statusLineOf(refusal)}`, ...lines, '', body].join('\r\n');
}

function endAfterAnswers(socket: ServerSocket): void {
  socket.pause();
  const awaitNext = (): void => {
    const answer = socket._httpMessage;
    if (answer) answer.once('close', () => setImmediate(awaitNext));
    else socket.destroySoon();
  };
  awaitNext();
}

function brokenRequest(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new ApiError('HEADERS_TOO_LARGE', 'The path and headers are larger than 16 KiB.');
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout();
  return new ApiError('VALIDATION_ERROR', 'This is not a valid HTTP request.');
}

const statusLineOf = ({ statusCode }: Refusal): string => `${statusCode} ${STATUS_CODES[statusCode] ?? ''}`;

/** The client is too slow: RFC 9110, 15.5.9. */
export function requestTimeout(): ApiError {
  return new ApiError('REQUEST_TIMEOUT', 'The request did not arrive in time.', {
    statusCode: 408,
    headers: { connection: 'close' },
  });
}
