import { malformed } from '@tenantry/envelope';

/**
 * The text of a body, piece by piece, without a byte order mark.
 *
 * @throws VALIDATION_ERROR where it is not UTF-8.
 */
export async function* textOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (piece?: Uint8Array): string => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode();
    } catch {
      throw malformed('body', 'is not valid UTF-8');
    }
  };
  for await (const piece of pieces) yield decode(piece);
  yield decode();
}
