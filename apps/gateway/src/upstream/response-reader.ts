import { InvalidResponse, parseResponseHead, type ResponseHead } from './response-head.ts';

/** Takes an answer piece by piece; a piece is only lent, for as long as the call lasts. */
export interface ResponseSink {
  /** `bodyFollows`: more of the answer lies in the same read, so sending the head may wait for it. */
  onHead: (head: ResponseHead, bodyFollows: boolean) => void;
  /** `last`: the answer ends with this piece, and {@link onEnd} comes next. */
  onBody: (piece: Buffer, last: boolean) => void;
  onEnd: (head: ResponseHead) => void;
}

const headBytesMax = 64 * 1024;
const chunkLineBytesMax = 1024;
const headEnd = Buffer.from('\r\n\r\n');
const lineEnd = Buffer.from('\r\n');
const nothing = Buffer.alloc(0);

type State =
  'head' | 'length' | 'until-close' | 'chunk-size' | 'chunk-data' | 'chunk-end' | 'trailer' | 'done';

/** Reads one answer off a byte stream: RFC 9112, bodies passed through as they come, trailers dropped. */
export class ResponseReader {
  readonly #method: string;
  readonly #sink: ResponseSink;
  #state: State = 'head';
  #head: ResponseHead | undefined;
  /** Bytes left of the body or of the chunk. */
  #left = 0;
  /** A head or a chunk line that is not complete yet. */
  #partial: Buffer = nothing;

  constructor(method: string, sink: ResponseSink) {
    this.#method = method;
    this.#sink = sink;
  }

  /**
   * Takes what was read.
   *
   * @throws {InvalidResponse} when it is no HTTP/1.1 answer, or goes on after its end.
   */
  read(data: Buffer): void {
    let rest = data;
    while (rest.length > 0) {
      if (this.#state === 'done') throw new InvalidResponse('bytes after the end of the answer');
      rest = this.#step(rest);
    }
  }

  /** Takes the end of the stream: it completes a body that only the end delimits. */
  end(): boolean {
    if (this.#state !== 'until-close') return false;
    this.#finish();
    return true;
  }

  #step(data: Buffer): Buffer {
    switch (this.#state) {
      case 'head':
        return this.#readHead(data);
      case 'length':
        return this.#readLength(data);
      case 'until-close':
        this.#sink.onBody(data, false);
        return nothing;
      case 'chunk-data':
        return this.#readChunkData(data);
      default:
        return this.#readChunkLine(data);
    }
  }

  #readHead(data: Buffer): Buffer {
    const bytes = this.#withPartial(data);
    const end = bytes.indexOf(headEnd);
    if (end > headBytesMax || (end < 0 && bytes.length > headBytesMax)) {
      throw new InvalidResponse('the head is too large');
    }
    if (end < 0) return this.#keep(bytes);
    const head = parseResponseHead(bytes.toString('latin1', 0, end), this.#method);
    const rest = bytes.subarray(end + headEnd.length);
    if (head.status === 101) throw new InvalidResponse('an upgrade that was not asked for');
    // Interim answers (100, 103) are for this hop; the final one follows.
    if (head.status < 200) return rest;

    this.#head = head;
    this.#left = head.contentLength;
    if (head.framing === 'chunked') this.#state = 'chunk-size';
    else if (head.framing !== 'none') this.#state = head.framing;
    this.#sink.onHead(head, head.framing === 'none' || rest.length > 0);
    if (head.framing === 'none') this.#finish();
    return rest;
  }

  #readLength(data: Buffer): Buffer {
    const piece = data.length <= this.#left ? data : data.subarray(0, this.#left);
    this.#left -= piece.length;
    const last = this.#left === 0;
    this.#sink.onBody(piece, last);
    if (last) this.#finish();
    return data.subarray(piece.length);
  }

  #readChunkData(data: Buffer): Buffer {
    const piece = data.subarray(0, this.#left);
    this.#left -= piece.length;
    if (this.#left === 0) this.#state = 'chunk-end';
    this.#sink.onBody(piece, false);
    return data.subarray(piece.length);
  }

  /** The lines between chunks: a size, the end of a chunk, a trailer field. */
  #readChunkLine(data: Buffer): Buffer {
    const bytes = this.#withPartial(data);
    const end = bytes.indexOf(lineEnd);
    if (end < 0) {
      if (bytes.length > chunkLineBytesMax) throw new InvalidResponse('a chunk line is too long');
      return this.#keep(bytes);
    }
    const line = bytes.toString('latin1', 0, end);
    if (this.#state === 'chunk-size') {
      this.#left = chunkSize(line);
      this.#state = this.#left === 0 ? 'trailer' : 'chunk-data';
    } else if (this.#state === 'chunk-end') {
      if (line !== '') throw new InvalidResponse('a chunk is longer than its size');
      this.#state = 'chunk-size';
    } else if (line === '') {
      this.#finish();
    }
    return bytes.subarray(end + lineEnd.length);
  }

  #withPartial(data: Buffer): Buffer {
    if (this.#partial.length === 0) return data;
    const bytes = Buffer.concat([this.#partial, data]);
    this.#partial = nothing;
    return bytes;
  }

  #keep(bytes: Buffer): Buffer {
    this.#partial = Buffer.from(bytes);
    return nothing;
  }

  #finish(): void {
    this.#state = 'done';
    if (this.#head) this.#sink.onEnd(this.#head);
  }
}

const chunkSizeLine = /^([0-9a-fA-F]{1,12})[ \t]*(?:;[^\r\n]*)?$/;

function chunkSize(line: string): number {
  const size = chunkSizeLine.exec(line)?.[1];
  if (size === undefined) throw new InvalidResponse('a chunk size is malformed');
  return Number.parseInt(size, 16);
}
