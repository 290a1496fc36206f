import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { ResponseReader } from '../src/upstream/response-reader.ts';

interface Seen {
  status: number | undefined;
  body: string;
  ended: number;
}

function readerOf(method = 'GET'): { reader: ResponseReader; seen: Seen } {
  const seen: Seen = { status: undefined, body: '', ended: 0 };
  const reader = new ResponseReader(method, {
    onHead: (head) => (seen.status = head.status),
    onBody: (piece) => (seen.body += piece.toString('latin1')),
    onEnd: () => seen.ended++,
  });
  return { reader, seen };
}

/** Each piece is overwritten after it was read, as the shared read buffer is. */
function readInPieces(reader: ResponseReader, bytes: Buffer, cuts: readonly number[]): void {
  const edges = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  );
  for (const [index, start] of edges.slice(0, -1).entries()) {
    const piece = Buffer.from(bytes.subarray(start, edges[index + 1]));
    reader.read(piece);
    piece.fill(0xff);
  }
}

const bodies = fc.array(fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 40 }), { maxLength: 6 });
const cutPoints = fc.array(fc.nat(2_000), { maxLength: 12 });

describe('reading an answer', () => {
  it('gives the same chunked body however the bytes are cut', () => {
    fc.assert(
      fc.property(bodies, cutPoints, (chunks, cuts) => {
        const { reader, seen } = readerOf();
        const coded = chunks.map((chunk) => `${chunk.length.toString(16)};ext=1\r\n${chunk}\r\n`).join('');
        const text = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${coded}0\r\nX-Trailer: y\r\n\r\n`;
        readInPieces(reader, Buffer.from(text, 'latin1'), cuts);
        expect(seen).toEqual({ status: 200, body: chunks.join(''), ended: 1 });
      }),
    );
  });

  it('gives the same body of known length however the bytes are cut, interim answers before it included', () => {
    fc.assert(
      fc.property(bodies, cutPoints, (parts, cuts) => {
        const { reader, seen } = readerOf();
        const body = parts.join('');
        const interim = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n';
        const text = `${interim}HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
        readInPieces(reader, Buffer.from(text, 'latin1'), cuts);
        expect(seen).toEqual({ status: 200, body, ended: 1 });
      }),
    );
  });

  it('never fails with anything but a refusal, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), cutPoints, (tail, cuts) => {
        const { reader } = readerOf();
        const start = Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        try {
          readInPieces(reader, Buffer.concat([start, tail]), cuts);
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_RESPONSE' });
        }
      }),
    );
  });

  it('knows a body cut short from a complete one', () => {
    const cutShort = readerOf();
    cutShort.reader.read(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc'));
    expect(cutShort.reader.end()).toBe(false);
    expect(cutShort.seen.ended).toBe(0);

    const untilClose = readerOf();
    untilClose.reader.read(Buffer.from('HTTP/1.1 200 OK\r\n\r\nabc'));
    expect(untilClose.reader.end()).toBe(true);
    expect(untilClose.seen).toEqual({ status: 200, body: 'abc', ended: 1 });
  });

  test.each([
    ['bytes after the end', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab'],
    ['a body after HEAD', 'HTTP/1.1 204 No Content\r\n\r\nab'],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['a chunk size that is none', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'],
    ['a negative chunk size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n'],
    ['a hexadecimal prefix', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x5\r\n'],
    ['a chunk longer than its size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n'],
    ['an endless chunk line', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(2_000)}`],
    ['an endless head', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}`],
  ])('refuses %s', (_what, text) => {
    expect(() => readerOf().reader.read(Buffer.from(text))).toThrow(
      expect.objectContaining({ code: 'INVALID_RESPONSE' }),
    );
  });
});
