import { ApiError } from '@tenantry/envelope';
import { AddressedShares, NoShareError, type Asking, type Share } from '@tenantry/fair-shares';
import { measureShares, type Measurement } from '@tenantry/service/metrics';
import { quoteTooLarge } from './quotes.errors.ts';

/** Up to this size, in bytes of its JSON, a quote is read without waiting. */
const usualBytesMax = 512 * 1024;

/** Larger quotes are not read: 50,000 lines and {@link textBytesMax} of text take half of it. */
const readableBytesMax = 16 * 1024 * 1024;

/** Called before a large quote is read: waits for a share of memory, or refuses. */
export type ReadLarge = () => Promise<void>;

/** For readers that are bounded otherwise, such as the threads for PDFs. */
export const readAnyway: ReadLarge = async () => undefined;

/**
 * Reads a quote, or what contains one: a large one once `readLarge` allows it.
 *
 * @param find finds it unless it exceeds a size
 * @throws QUOTE_TOO_LARGE
 */
export async function readWhole<Found>(
  find: (bytesMax: number) => Promise<Found | 'too-large' | undefined>,
  readLarge: ReadLarge,
): Promise<Found | undefined> {
  const usual = await find(usualBytesMax);
  if (usual !== 'too-large') return usual;
  await readLarge();
  const large = await find(readableBytesMax);
  if (large === 'too-large') throw quoteTooLarge();
  return large;
}

/**
 * Limits how many large quotes are in memory: one of 50,000 lines takes some 30 MB until its response is sent. An organization
 * gets a quarter of the shares, an address a quarter of the free ones, so that others find one while clients read slowly.
 */
export class LargeQuotes {
  readonly #shares = new AddressedShares({
    name: 'large-quotes',
    runningMax: 8,
    runningPerSharerMax: 2,
    partOfFreePerAddressMax: 1 / 4,
    waitingMax: 32,
    waitMsMax: 5_000,
  });
  readonly measurements: readonly Measurement[] = this.#shares.shares.flatMap(measureShares);

  /** @throws {ApiError} UPSTREAM_UNAVAILABLE if there is no share in time. */
  async take(asking: Asking, signal: AbortSignal): Promise<Share> {
    try {
      return await this.#shares.take(asking, { signal });
    } catch (error) {
      throw error instanceof NoShareError ? tooManyAtOnce(error) : error;
    }
  }

  /** Without waiting, for use in a transaction. @throws {ApiError} UPSTREAM_UNAVAILABLE when there is no share. */
  takeNow(asking: Asking): Share {
    const share = this.#shares.takeNow(asking);
    if (!share) throw tooManyAtOnce();
    return share;
  }
}

const tooManyAtOnce = (cause?: NoShareError): ApiError =>
  new ApiError(
    'UPSTREAM_UNAVAILABLE',
    'Too many large quotes are being read right now. Try again in a few seconds.',
    { headers: { 'retry-after': '5' }, cause },
  );
