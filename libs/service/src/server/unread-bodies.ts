import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { BodyPace } from './slow-bodies.ts';

/** For how long a body is read and dropped once its request has been answered. */
type UnreadPace = Pick<BodyPace, 'lingerMs'>;

/** The largest body of any route: a client that reads nothing until it has sent everything still gets its answer. */
const droppedBytesMax = 64 * 1024 * 1024;

/**
 * A response that, if it begins before its request has ended, announces that the connection closes (RFC 9112, 9.6), unless the
 * rest is known to be bounded. node:http begins every response by `writeHead`, so it holds for routes, hooks and hijacked replies
 * alike.
 */
export class ClosingResponse extends ServerResponse {
  override writeHead(...head: unknown[]): this {
    const { req: request } = this;
    if (!request.complete && hasBody(request) && (!isBounded(request) || request.destroyed))
      this.setHeader('connection', 'close');
    return super.writeHead(...(head as Parameters<ServerResponse['writeHead']>));
  }
}

/**
 * Leaves no connection in the middle of a body, for a server whose responses are {@link ClosingResponse}s. After the response
 * the rest is read and dropped, for a bounded time: a bounded one up to its end; of any other only as much as the client needs
 * to read its response, since closing a socket with unread bytes resets the connection, and a reset discards what the client has
 * not read yet. It wraps `destroySoon`, by which node:http ends every connection.
 */
export function endUnreadBodies(server: Server, pace: UnreadPace): void {
  server.prependListener('request', (request, response) => {
    if (hasBody(request)) watch({ request, response, pace });
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const isBounded = ({ headers }: IncomingMessage): boolean =>
  Number(headers['content-length'] ?? Infinity) <= droppedBytesMax;

interface Watched {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly pace: UnreadPace;
}

function watch({ request, response, pace }: Watched): void {
  // A handler that stops reading early may destroy the request, which then has no socket any more.
  const { socket } = request;
  // Before the listener of node:http, which ends the connection or awaits the next request.
  response.prependOnceListener('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => socket.destroy(), pace.lingerMs).unref();
    const stop = (): void => {
      clearTimeout(timer);
      socket.off('close', stop);
      Reflect.deleteProperty(socket, 'destroySoon');
    };
    socket.destroySoon = () => endAndDrop(socket);
    socket.once('close', stop);
    request.once('end', stop);
    if (request.destroyed) endAndDrop(socket);
    else request.resume();
  });
}

/** Ends this side of a connection, and drops what arrives until the client ends the other. */
function endAndDrop(socket: Socket): void {
  if (socket.writableEnded) return;
  // The parser of node:http would stop reading where nobody reads the request.
  socket.removeAllListeners('data');
  const bytesBefore = socket.bytesRead;
  socket.on('data', () => {
    if (socket.bytesRead - bytesBefore > droppedBytesMax) socket.destroy();
  });
  socket.resume();
  socket.end();
}
