import { connect, type Socket } from 'node:net';
import type { Address } from '../routing/route-table.ts';
import { InvalidResponse } from './response-head.ts';
import { ResponseReader, type ResponseSink } from './response-reader.ts';

/** What went wrong with a service: it cannot be reached, says nothing, or breaks off or talks nonsense. */
export type FailureKind = 'unreachable' | 'silent' | 'broken';

/** An exchange that did not come to its end. */
export interface UpstreamFailure {
  readonly kind: FailureKind;
  /** Whether a byte of the answer had arrived: if not, a safe request may be sent again. */
  readonly answered: boolean;
  readonly cause: unknown;
}

/** The side of an exchange that a connection talks to. */
export interface ExchangePart extends ResponseSink {
  /** The request body may flow now. */
  readonly onConnected: () => void;
  /** What had been written is gone: go on writing. */
  readonly onDrain: () => void;
  readonly onFailure: (failure: UpstreamFailure) => void;
}

/** Who lends connections out. */
export interface ConnectionOwner {
  readonly address: Address;
  readonly connectTimeoutMs: number;
  readonly timeoutMs: number;
  /** The exchange is over and the connection can carry the next. */
  readonly onIdle: (connection: Connection) => void;
  readonly onClosed: (connection: Connection) => void;
}

/**
 * What any connection reads lands here first and is gone after its callback: whoever keeps a piece copies it. An
 * answer that arrives whole is never copied at all.
 */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

/** One connection to one address of a service; it carries one exchange at a time. */
export class Connection {
  /** When it fell idle, in `performance.now()` milliseconds. */
  idleSince = 0;
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  #part: ExchangePart | undefined;
  #reader: ResponseReader | undefined;
  #answered = false;
  #requestSent = false;
  #connected = false;
  #silent = false;
  #cause: unknown;

  constructor(owner: ConnectionOwner) {
    this.#owner = owner;
    const { host, port } = owner.address;
    const onread = { buffer: readBuffer, callback: (length: number) => this.#onRead(length) };
    this.#socket = connect({ host, port, noDelay: true, keepAlive: true, autoSelectFamily: true, onread });
    this.#socket
      .setTimeout(owner.connectTimeoutMs)
      .on('connect', () => this.#onConnect())
      .on('end', () => this.#onEnd())
      .on('drain', () => this.#part?.onDrain())
      .on('timeout', () => this.#onTimeout())
      .on('error', (error) => (this.#cause ??= error))
      .on('close', () => this.#onClose());
  }

  get isConnected(): boolean {
    return this.#connected;
  }

  /** Whether it still stands; an idle connection may have been closed by the other side. */
  get isUsable(): boolean {
    return this.#socket.writable && this.#socket.readable;
  }

  /** Begins an exchange with a complete request head; a request without a body is thereby sent. */
  start(head: string, method: string, part: ExchangePart & { readonly hasBody: boolean }): void {
    this.#part = part;
    this.#reader = new ResponseReader(method, part);
    this.#answered = false;
    this.#requestSent = !part.hasBody;
    this.#socket.write(head, 'latin1');
  }

  /** Sends a piece of the request body; false means: wait for `onDrain`. */
  write(piece: Buffer | string): boolean {
    return this.#socket.write(piece, 'latin1');
  }

  /** Sends one chunk of a body of unknown length. */
  writeChunk(piece: Buffer): boolean {
    this.#socket.cork();
    this.#socket.write(`${piece.length.toString(16)}\r\n`, 'latin1');
    this.#socket.write(piece);
    const roomLeft = this.#socket.write('\r\n', 'latin1');
    this.#socket.uncork();
    return roomLeft;
  }

  /** The request body is complete. */
  finishRequest(): void {
    this.#requestSent = true;
  }

  /** Stops reading until {@link resume}: the client does not keep up. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Ends the connection and tells the exchange nothing more. */
  abort(): void {
    this.#part = undefined;
    this.#socket.destroy();
  }

  #onConnect(): void {
    this.#connected = true;
    this.#socket.setTimeout(this.#owner.timeoutMs);
    this.#part?.onConnected();
  }

  #onRead(length: number): true {
    this.#answered = true;
    try {
      // Bytes that nobody asked for would be taken for the next answer.
      if (!this.#part || !this.#reader) throw new InvalidResponse('bytes without a request');
      this.#reader.read(readBuffer.subarray(0, length));
    } catch (error) {
      this.#cause = error;
      this.#socket.destroy();
    }
    return true;
  }

  /** Called by the exchange when its answer is complete. */
  release(keepAlive: boolean): void {
    this.#part = undefined;
    if (this.#socket.isPaused()) this.#socket.resume();
    // A request that is still being sent has no end on the wire, so nothing can follow it.
    if (keepAlive && this.#requestSent && this.isUsable) this.#owner.onIdle(this);
    else this.#socket.destroy();
  }

  #onEnd(): void {
    if (!this.#reader?.end()) this.#socket.destroy();
  }

  #onTimeout(): void {
    this.#silent = true;
    this.#socket.destroy();
  }

  #onClose(): void {
    this.#owner.onClosed(this);
    const part = this.#part;
    this.#part = undefined;
    part?.onFailure({ kind: this.#failureKind(), answered: this.#answered, cause: this.#cause });
  }

  #failureKind(): FailureKind {
    if (!this.#connected) return 'unreachable';
    return this.#silent ? 'silent' : 'broken';
  }
}
