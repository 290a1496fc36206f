import type { IncomingMessage } from 'node:http';
import { ClientSilent } from './request-body.ts';
import { Silence } from './silence.ts';

/** How a body is read. */
export interface ReadingOptions {
  /** Maximum time without data from the client. */
  readonly silenceMsMax: number;
  /** Aborts the read, which then rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

/** A client may send single bytes, and each piece costs more memory than its bytes. */
const piecesMax = 32;

/**
 * Reads a body whose length is known to be small.
 *
 * @throws {ClientSilent} when the client stops sending
 */
export function readSmallBody(
  request: IncomingMessage,
  { silenceMsMax, signal }: ReadingOptions,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let pieces: Buffer[] = [];
    const stop = (): void => {
      silence.stop();
      signal.removeEventListener('abort', onAbort);
      request.off('data', onData).off('end', onEnd);
    };
    const onData = (piece: Buffer): void => {
      silence.refresh();
      pieces.push(piece);
      if (pieces.length > piecesMax) pieces = [Buffer.concat(pieces)];
    };
    const onEnd = (): void => {
      stop();
      const [first] = pieces;
      resolve(pieces.length === 1 && first ? first : Buffer.concat(pieces));
    };
    const onAbort = (): void => {
      stop();
      reject(signal.reason as Error);
    };
    const silence = new Silence(silenceMsMax, () => {
      stop();
      reject(new ClientSilent('the client stopped sending'));
    });
    signal.addEventListener('abort', onAbort);
    request.on('data', onData).on('end', onEnd);
  });
}
