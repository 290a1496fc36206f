import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError } from '@tenantry/envelope';
import type { Address } from '../routing/route-table.ts';
import type { Connection, ExchangePart, UpstreamFailure } from '../upstream/connection.ts';
import { InvalidResponse, type ResponseHead } from '../upstream/response-head.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { refusalFor, requestTimeout, unreachable } from './refusals.ts';
import type { BodyLength } from './request-headers.ts';

/** A request that is ready to be sent to a service. */
export interface ForwardedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly upstream: Upstream;
  readonly requestId: string;
  /** Every header line but Host, which depends on the address. */
  readonly lines: string;
  readonly body: BodyLength;
  /** The gateway is to stop: clients should take their next request elsewhere. */
  readonly isDraining: () => boolean;
  /** Answers a request that could not be forwarded. */
  readonly refuse: (refusal: ApiError) => void;
}

/** RFC 9110, 9.2.1: asking again changes nothing. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
/** A body up to this size that has arrived whole leaves in one write together with its head. */
const oneWriteBytesMax = 16 * 1024;

/** One request on its way to a service and the answer on its way back; both are streamed, neither is read. */
export class Exchange implements ExchangePart {
  readonly hasBody: boolean;
  readonly #forwarded: ForwardedRequest;
  /** Addresses that could not be reached; hardly ever any. */
  #tried: Set<Address> | undefined;
  #lastFailure: UpstreamFailure | undefined;
  #connection: Connection | undefined;
  #address: Address | undefined;
  #bodyStarted = false;
  #repeated = false;
  #over = false;

  constructor(forwarded: ForwardedRequest) {
    this.#forwarded = forwarded;
    this.hasBody = forwarded.body !== 'none';
  }

  start(): void {
    this.#forwarded.response.on('close', this.#onClientClose);
    this.#send(false);
  }

  #send(fresh: boolean): void {
    const { request, upstream, lines, body, refuse } = this.#forwarded;
    const taken = upstream.take({ except: this.#tried, fresh });
    if (!taken) {
      this.#over = true;
      refuse(unreachable(this.#lastFailure?.cause));
      return;
    }
    const { connection, address } = taken;
    this.#connection = connection;
    this.#address = address;
    const method = request.method ?? '';
    const framing = body === 'none' ? emptyBodyLine(method) : bodyLine(body);
    const head = `${method} ${request.url ?? ''} HTTP/1.1\r\nHost: ${address.authority}\r\n${lines}${framing}\r\n`;
    connection.start(head, method, this);
    if (connection.isConnected) this.onConnected();
  }

  /** The body is left with the client until somebody is there to take it: another address can still be tried. */
  onConnected(): void {
    if (!this.hasBody || this.#bodyStarted) return;
    this.#bodyStarted = true;
    const { request, body } = this.#forwarded;
    const chunked = body === 'chunked';
    request
      .on('data', (piece: Buffer) => {
        const connection = this.#connection;
        if (connection && !(chunked ? connection.writeChunk(piece) : connection.write(piece)))
          request.pause();
      })
      .on('end', () => {
        if (chunked) this.#connection?.write('0\r\n\r\n');
        this.#connection?.finishRequest();
      });
  }

  onDrain(): void {
    if (this.#bodyStarted) this.#forwarded.request.resume();
  }

  onHead(head: ResponseHead, bodyFollows: boolean): void {
    const { response, requestId, isDraining } = this.#forwarded;
    const { headers } = head;
    headers.push('x-request-id', requestId);
    if (isDraining()) headers.push('connection', 'close');
    try {
      // Node.js refuses what is no header name or value: RFC 9110, 5.5.
      response.writeHead(head.status, headers);
    } catch (error) {
      throw new InvalidResponse('a header is malformed', { cause: error });
    }
    if (!bodyFollows) response.flushHeaders();
  }

  onBody(piece: Buffer, last: boolean): void {
    const { response } = this.#forwarded;
    // Latin-1 maps bytes to characters one to one, and Node.js joins a string with the head in one write.
    if (last && piece.length <= oneWriteBytesMax) response.end(piece.toString('latin1'), 'latin1');
    else if (!response.write(Buffer.from(piece)) && !last) this.#waitForClient(response);
  }

  onEnd(head: ResponseHead): void {
    const { request, response, isDraining } = this.#forwarded;
    this.#over = true;
    this.#connection?.release(head.keepAlive);
    this.#connection = undefined;
    // The head may have promised a connection that a drain has meanwhile to end.
    if (isDraining()) response.once('finish', () => request.socket.end());
    if (!response.writableEnded) response.end();
    // Whatever of the request body is still to come is of no use to anyone.
    if (this.hasBody) request.resume();
  }

  onFailure(failure: UpstreamFailure): void {
    this.#connection = undefined;
    const { request, response, refuse } = this.#forwarded;
    if (response.headersSent) {
      // Ending the body here would make a part look like the whole.
      this.#over = true;
      response.socket?.resetAndDestroy();
      return;
    }
    if (failure.kind === 'unreachable' && this.#address) {
      this.#lastFailure = failure;
      (this.#tried ??= new Set()).add(this.#address);
      this.#send(false);
      return;
    }
    if (failure.kind === 'broken' && !failure.answered && this.#mayRepeat()) {
      this.#repeated = true;
      this.#send(true);
      return;
    }
    this.#over = true;
    const clientIsSlow = failure.kind === 'silent' && this.hasBody && !request.complete;
    refuse(clientIsSlow ? requestTimeout() : refusalFor(failure));
  }

  /** RFC 9110, 9.2.2: only what is safe, has no body that is gone by now, and only once. */
  #mayRepeat(): boolean {
    return !this.#repeated && !this.hasBody && safeMethods.has(this.#forwarded.request.method ?? '');
  }

  #waitForClient(response: ServerResponse): void {
    const connection = this.#connection;
    connection?.pause();
    response.once('drain', () => {
      if (this.#connection === connection) connection?.resume();
    });
  }

  /** The client has gone: the service may stop working for it. */
  readonly #onClientClose = (): void => {
    if (this.#over) return;
    this.#over = true;
    this.#connection?.abort();
    this.#connection = undefined;
  };
}

const bodyLine = (body: BodyLength): string =>
  body === 'chunked' ? 'Transfer-Encoding: chunked\r\n' : `Content-Length: ${body}\r\n`;

/** RFC 9110, 8.6: methods that usually carry a body say when they carry none. */
const emptyBodyLine = (method: string): string =>
  method === 'POST' || method === 'PUT' || method === 'PATCH' ? 'Content-Length: 0\r\n' : '';
