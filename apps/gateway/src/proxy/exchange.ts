import type { IncomingHttpHeaders, OutgoingHttpHeader } from 'node:http';
import type { Share } from '@tenantry/fair-shares';
import { isUnsafe, requestTimeout } from '@tenantry/service/http';
import { endSpan, type Span } from '@tenantry/tracing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import { failureOf, unreachable, type UpstreamFailure } from '../upstream/failure.ts';
import type { Instance } from '../upstream/instance.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { answerHeaders } from './answer-headers.ts';
import { acceptsCoding, compress, isCompressible } from './compression.ts';
import { refusalFor } from './refusals.ts';
import { ClientSilent, type RequestBody } from './request-body.ts';
import { SlowClient } from './slow-client.ts';

/** A request that is ready to be sent to a service. */
export interface ForwardedRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly upstream: Upstream;
  /** Names and values in turn, without Host, which depends on the address. */
  readonly headers: string[];
  /** Whether the service sets the cookies of sessions. */
  readonly setsCookies: boolean;
  /** The exchange in the trace of the request, where the process traces. */
  readonly span: Span | undefined;
}

/** A request's body and callbacks, once it is admitted. */
export interface Admitted {
  /** Null without a body. */
  readonly body: Buffer | RequestBody | null;
  /** Reserves memory for unread bytes of the response; undefined if the client has reached its limit. */
  readonly takeUnread: (size: number) => Share | undefined;
  /** Called when the request has ended: answered, refused or aborted. */
  readonly onClose: (() => void) | undefined;
}

type Controller = Dispatcher.DispatchController;

/** A complete body up to this size is written in one piece with its headers. A service reads both at once, too. */
const oneWriteBytesMax = 16 * 1024;

/** One request to a service and its response; both are streamed and not parsed. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #forwarded: ForwardedRequest;
  readonly #admitted: Admitted;
  /** RFC 9110, 9.2.2: safe, and without a body that cannot be sent twice. */
  readonly #repeatable: boolean;
  /**
   * Whether its connection is closed after it. A service may answer before the end of a body, and the rest would wait, in
   * buffers that nobody here can see, before the request of the next client.
   */
  readonly #isLast: boolean;
  /** Instances that have failed this request; usually none. */
  #tried: Set<Instance> | undefined;
  #lastFailure: UpstreamFailure | undefined;
  #instance: Instance | undefined;
  /** Present once the request has been handed to a connection. */
  #controller: Controller | undefined;
  #answered = false;
  #repeated = false;
  #over = false;
  #bodyStarted = false;
  /** Remaining bytes of the response; NaN if unknown. */
  #left = Number.NaN;
  readonly #client: SlowClient;
  /** A response to be compressed once it is complete. */
  #gathered: { readonly headers: OutgoingHttpHeader[]; readonly pieces: Buffer[] } | undefined;

  constructor(forwarded: ForwardedRequest, admitted: Admitted) {
    this.#forwarded = forwarded;
    this.#admitted = admitted;
    const { reply, upstream } = forwarded;
    const { takeUnread } = admitted;
    this.#client = new SlowClient({ response: reply.raw, takeUnread, patienceMs: upstream.timeoutMs });
    this.#repeatable = admitted.body === null && !isUnsafe(forwarded.request.method);
    this.#isLast = admitted.body !== null && !isShort(admitted.body);
  }

  start(): void {
    this.#forwarded.reply.raw.on('close', () => {
      this.#onClientClose();
    });
    this.#send();
  }

  /** @param again the instance to retry if there is no other. */
  #send(again?: Instance): void {
    const { request, upstream, headers } = this.#forwarded;
    const { body } = this.#admitted;
    const instance = upstream.choose({ except: this.#tried, repeatable: this.#repeatable }) ?? again;
    this.#instance = instance;
    this.#controller = undefined;
    if (!instance) {
      if (!this.#tried) upstream.outcomes.full++;
      this.#refuse(unreachable(this.#lastFailure?.cause));
      return;
    }
    const { originalUrl: path, method } = request;
    // `reset: false`: HEAD, and DELETE with a body, keep the connection.
    instance.dispatch({ path, method, headers, body, reset: this.#isLast, blocking: false }, this);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#over) controller.abort(new Error('the client has gone'));
  }

  onResponseStarted(): void {
    this.#answered = true;
  }

  onResponseStart(controller: Controller, status: number, received: IncomingHttpHeaders): void {
    // Interim responses are for this hop; the final one follows.
    if (status < 200) return;
    const { request, reply, setsCookies } = this.#forwarded;
    if (reply.sent) {
      this.#end('refused');
      controller.abort(new Error('the request has been refused meanwhile'));
      return;
    }
    if (status === 401 && saysInvalidToken(received)) request.onTokenRefused();
    if (status < 300) request.onTokenTaken();
    // Responses of the service that sets cookies contain secrets, which compression could reveal (BREACH).
    const compressible =
      !setsCookies && isCompressible({ method: request.method, status, headers: received });
    const gathers = compressible && acceptsCoding('gzip', request.headers['accept-encoding']);
    const headers = answerHeaders(status, gathers ? { ...received, 'content-length': undefined } : received, {
      own: (name) => reply.getHeader(name),
      setsCookies,
      compressible,
    });
    headers.push('x-request-id', request.id);
    if (request.server.isDraining()) headers.push('connection', 'close');
    this.#left = Number(received['content-length'] ?? Number.NaN);
    // With an error response, a service may close a connection whose request it has not read completely.
    const isLeaving = status < 400 && !this.#isLast && received.connection?.toLowerCase() === 'close';
    if (isLeaving) this.#instance?.leave();
    else this.#instance?.succeed();
    this.#forwarded.span?.setAttribute('http.response.status_code', status);
    if (gathers) this.#gathered = { headers, pieces: [] };
    else this.#begin(status, headers);
  }

  #begin(status: number, headers: OutgoingHttpHeader[]): void {
    const { reply } = this.#forwarded;
    const { raw: response } = reply;
    // Throws for an invalid header name or value (RFC 9110, 5.5), and undici then ends the exchange.
    response.writeHead(status, headers);
    reply.hijack();
    // Waits for the rest of the same read, so that headers and body are sent together.
    queueMicrotask(() => {
      if (!this.#bodyStarted && !response.writableEnded && !response.destroyed) response.flushHeaders();
    });
  }

  onResponseData(controller: Controller, piece: Buffer): void {
    if (this.#gathered) {
      this.#gathered.pieces.push(piece);
      return;
    }
    const { raw: response } = this.#forwarded.reply;
    const isWhole = !this.#bodyStarted && this.#left === piece.length;
    this.#bodyStarted = true;
    this.#left -= piece.length;
    // Latin-1 maps bytes to characters one to one, and Node.js joins a string with the head in one write.
    if (isWhole && piece.length <= oneWriteBytesMax) response.end(piece.toString('latin1'), 'latin1');
    else if (!response.write(piece)) this.#client.holdBack(this.#left === 0 ? undefined : controller);
  }

  onResponseEnd(): void {
    const { request, reply } = this.#forwarded;
    const { raw: response } = reply;
    if (this.#gathered && !response.destroyed) this.#sendCompressed(this.#gathered);
    this.#end();
    this.#instance?.release();
    // The headers may have announced keep-alive for a connection that a drain has to close.
    if (request.server.isDraining()) response.once('finish', () => request.raw.socket.end());
    if (!response.writableEnded) response.end();
  }

  #sendCompressed({ headers, pieces }: { headers: OutgoingHttpHeader[]; pieces: Buffer[] }): void {
    const body = compress(Buffer.concat(pieces));
    this.#begin(200, headers.concat('content-length', body.length, 'content-encoding', 'gzip'));
    const { raw: response } = this.#forwarded.reply;
    response.end(body);
    if (response.writableLength > 0) this.#client.holdBack();
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#instance?.release();
    if (this.#over) return;
    const { raw: response } = this.#forwarded.reply;
    if (response.headersSent) {
      // Ending the body here would make a partial response look complete.
      this.#end('broken');
      this.#instance?.fail('broken');
      response.socket?.resetAndDestroy();
    } else if (error instanceof ClientSilent) {
      this.#refuse(requestTimeout());
    } else {
      this.#onFailure(failureOf(error, this.#controller !== undefined));
    }
  }

  #onFailure(failure: UpstreamFailure): void {
    this.#lastFailure = failure;
    if (this.#instance) {
      this.#instance.fail(failure.kind);
      (this.#tried ??= new Set()).add(this.#instance);
    }
    if (failure.kind === 'unreachable') {
      this.#send();
    } else if (failure.kind === 'broken' && this.#mayRepeat()) {
      this.#repeated = true;
      this.#send(this.#instance);
    } else {
      this.#refuse(refusalFor(failure));
    }
  }

  /** Only requests that were not sent, or are repeatable, and only once. */
  #mayRepeat(): boolean {
    if (this.#repeated || this.#answered) return false;
    return !this.#controller || this.#repeatable;
  }

  #refuse(refusal: Error): void {
    this.#end(this.#lastFailure?.kind ?? 'refused');
    const { reply } = this.#forwarded;
    if (!reply.sent && !reply.raw.destroyed) reply.send(refusal);
  }

  /** @param failure why the response is incomplete, if it is */
  #end(failure?: string): void {
    this.#over = true;
    if (this.#forwarded.span) endSpan(this.#forwarded.span, failure);
  }

  /** The client has disconnected: the service may stop. */
  #onClientClose(): void {
    this.#admitted.onClose?.();
    this.#client.release();
    if (this.#over) return;
    this.#end('client-gone');
    this.#controller?.abort(new Error('the client has gone'));
  }
}

const isShort = (body: Buffer | RequestBody): boolean =>
  Buffer.isBuffer(body) && body.length <= oneWriteBytesMax;

/** RFC 6750, 3.1: expired, revoked or invalid, as opposed to one with which more must be proven. */
const saysInvalidToken = (received: IncomingHttpHeaders): boolean =>
  received['www-authenticate']?.includes('error="invalid_token"') ?? false;
