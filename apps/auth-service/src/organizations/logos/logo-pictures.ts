import { logoBounds } from '@tenantry/contracts';
import { ApiError } from '@tenantry/envelope';
import { AddressedShares, NoShareError, type Asking } from '@tenantry/fair-shares';
import { drawPicture, UnusablePictureError } from '@tenantry/pictures';
import { measureShares, type Measurement } from '@tenantry/service/metrics';
import { unusableLogo } from './logos.errors.ts';
import type { Logo } from './logos.repository.ts';

/**
 * Draws uploaded pictures as documents show them. Decoding takes up to 100 MB and some seconds of a processor, in a thread that
 * password hashing also uses, so organizations and client addresses take turns.
 */
export class LogoPictures {
  readonly #turns = new AddressedShares({
    name: 'logo-pictures',
    runningMax: 2,
    runningPerSharerMax: 1,
    waitingMax: 32,
    waitMsMax: 8_000,
  });
  readonly measurements: readonly Measurement[] = this.#turns.shares.flatMap(measureShares);

  /**
   * @throws VALIDATION_ERROR for a file that is no picture
   * @throws UPSTREAM_UNAVAILABLE (503, Retry-After) if its turn does not come in time
   */
  async draw(asking: Asking, content: Buffer): Promise<Logo> {
    try {
      return await this.run(asking, () => drawPicture(content, logoBounds));
    } catch (error) {
      throw error instanceof UnusablePictureError ? unusableLogo(error.message) : error;
    }
  }

  /** Runs work when its turn comes. */
  async run<Result>(asking: Asking, work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#turns.run(asking, work);
    } catch (error) {
      throw error instanceof NoShareError ? busy(error) : error;
    }
  }
}

const busy = (cause: NoShareError): ApiError =>
  new ApiError('UPSTREAM_UNAVAILABLE', 'Too many logos are being uploaded right now. Try again shortly.', {
    headers: { 'retry-after': '5' },
    cause,
  });
