import { Decimal } from 'decimal.js';

/** Decimals wide enough that no product of a quote is ever cut; they round half away from zero. */
const Wide = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP });

/** Exact decimals: an instance of decimal.js with settings of its own. */
export const Exact = {
  zero: new Wide(0),

  /**
   * A number becomes a decimal from its text, which says what was meant: 0.1, and not the binary fraction beside it.
   *
   * @throws {RangeError} for NaN and infinities.
   */
  from(number: number | string): Decimal {
    if (!Number.isFinite(Number(number))) throw new RangeError(`${number} is no amount.`);
    return new Wide(String(number));
  },
};
