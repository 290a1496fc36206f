import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { failureOf, type UpstreamFailure } from '../upstream/failure.ts';
import { ClientSilent, RequestBody } from './request-body.ts';
import type { Instance, Upstream } from '../upstream/upstream.ts';
import { answerHeaders } from './answer-headers.ts';
import { refusalFor, refuse, requestTimeout, unreachable, type RefusalTarget } from './refusals.ts';

/** A request that is ready to be sent to a service. */
export interface ForwardedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly upstream: Upstream;
  /** Names and values in turn, without Host, which depends on the address. */
  readonly headers: string[];
  readonly hasBody: boolean;
  /** Where it is answered when the service cannot. */
  readonly target: RefusalTarget;
}

type Controller = Dispatcher.DispatchController;

/** RFC 9110, 9.2.1: asking again changes nothing. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
/** A body up to this size that has arrived whole leaves in one write together with its head. */
const oneWriteBytesMax = 16 * 1024;

/** One request on its way to a service and the answer on its way back; both are streamed, neither is read. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #forwarded: ForwardedRequest;
  readonly #body: RequestBody | null;
  /** Instances that could not be reached; hardly ever any. */
  #tried: Set<Instance> | undefined;
  #lastFailure: UpstreamFailure | undefined;
  #instance: Instance | undefined;
  /** Present once the request has been handed to a connection. */
  #controller: Controller | undefined;
  #answered = false;
  #repeated = false;
  #over = false;
  #bodyStarted = false;
  /** Bytes of the answer still to come; NaN when it does not say. */
  #left = Number.NaN;
  #patience: NodeJS.Timeout | undefined;

  constructor(forwarded: ForwardedRequest) {
    this.#forwarded = forwarded;
    const { request, upstream, hasBody } = forwarded;
    this.#body = hasBody ? new RequestBody(request, upstream.timeoutMs) : null;
  }

  start(): void {
    this.#forwarded.response.on('close', () => {
      this.#onClientClose();
    });
    this.#send();
  }

  #send(): void {
    const { request, upstream, headers } = this.#forwarded;
    const instance = upstream.choose(this.#tried);
    this.#instance = instance;
    this.#controller = undefined;
    if (!instance) {
      this.#refuse(unreachable(this.#lastFailure?.cause));
      return;
    }
    const { url: path = '', method = '' } = request;
    // `reset: false`: neither HEAD nor a body with DELETE costs the connection.
    instance.dispatch({ path, method, headers, body: this.#body, reset: false, blocking: false }, this);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#over) controller.abort(new Error('the client has gone'));
  }

  onResponseStarted(): void {
    this.#answered = true;
  }

  onResponseStart(_controller: Controller, status: number, received: IncomingHttpHeaders): void {
    // Interim answers are for this hop; the final one follows.
    if (status < 200) return;
    const { response, target } = this.#forwarded;
    const headers = answerHeaders(status, received);
    headers.push('x-request-id', target.requestId);
    for (const name in target.corsHeaders) headers.push(name, target.corsHeaders[name] ?? '');
    if (target.isDraining()) headers.push('connection', 'close');
    // Throws for what is no header name or value (RFC 9110, 5.5), and undici then ends the exchange.
    response.writeHead(status, headers);
    this.#left = Number(received['content-length'] ?? Number.NaN);
    // What lies in the same read comes first, so that head and body leave together.
    queueMicrotask(() => {
      if (!this.#bodyStarted && !response.writableEnded && !response.destroyed) response.flushHeaders();
    });
  }

  onResponseData(controller: Controller, piece: Buffer): void {
    const { response } = this.#forwarded;
    const isWhole = !this.#bodyStarted && this.#left === piece.length;
    this.#bodyStarted = true;
    this.#left -= piece.length;
    // Latin-1 maps bytes to characters one to one, and Node.js joins a string with the head in one write.
    if (isWhole && piece.length <= oneWriteBytesMax) response.end(piece.toString('latin1'), 'latin1');
    else if (!response.write(piece) && this.#left !== 0) this.#waitForClient(controller);
  }

  onResponseEnd(): void {
    const { request, response, target } = this.#forwarded;
    this.#over = true;
    this.#instance?.release();
    // The head may have promised a connection that a drain has meanwhile to end.
    if (target.isDraining()) response.once('finish', () => request.socket.end());
    if (!response.writableEnded) response.end();
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.#instance?.release();
    if (this.#over) return;
    const { response } = this.#forwarded;
    if (response.headersSent) {
      // Ending the body here would make a part look like the whole.
      this.#over = true;
      response.socket?.resetAndDestroy();
    } else if (error instanceof ClientSilent) {
      this.#refuse(requestTimeout());
    } else {
      this.#onFailure(failureOf(error, this.#controller !== undefined));
    }
  }

  #onFailure(failure: UpstreamFailure): void {
    if (failure.kind === 'unreachable' && this.#instance) {
      this.#instance.rest();
      this.#lastFailure = failure;
      (this.#tried ??= new Set()).add(this.#instance);
      this.#send();
    } else if (failure.kind === 'broken' && this.#mayRepeat()) {
      this.#repeated = true;
      this.#send();
    } else {
      this.#refuse(refusalFor(failure));
    }
  }

  /** RFC 9110, 9.2.2: only what was not sent, or what is safe and has no body that is gone by now; and only once. */
  #mayRepeat(): boolean {
    if (this.#repeated || this.#answered) return false;
    if (!this.#controller) return true;
    const { request, hasBody } = this.#forwarded;
    return !hasBody && safeMethods.has(request.method ?? '');
  }

  #refuse(refusal: unknown): void {
    this.#over = true;
    refuse(refusal, this.#forwarded.target);
  }

  /** The service waits while the client does not keep up, but not for ever. */
  #waitForClient(controller: Controller): void {
    if (controller.paused) return;
    const { response, upstream } = this.#forwarded;
    controller.pause();
    this.#patience = setTimeout(() => response.socket?.resetAndDestroy(), upstream.timeoutMs);
    response.once('drain', () => {
      clearTimeout(this.#patience);
      controller.resume();
    });
  }

  /** The client has gone: the service may stop working for it. */
  #onClientClose(): void {
    clearTimeout(this.#patience);
    if (this.#over) return;
    this.#over = true;
    this.#controller?.abort(new Error('the client has gone'));
  }
}
