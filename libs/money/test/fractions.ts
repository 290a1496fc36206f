/** A decimal fraction as a whole number of units of 10^-places: independent of every decimal library. */
export interface Fraction {
  readonly units: bigint;
  readonly places: number;
}

/** Reads a decimal, without zeros behind it. */
export function fraction(text: string | number): Fraction {
  const [whole = '0', decimals = ''] = String(text).split('.');
  const kept = decimals.replace(/0+$/, '');
  return { units: BigInt(whole + kept), places: kept.length };
}

export function times(one: Fraction, other: Fraction): Fraction {
  return { units: one.units * other.units, places: one.places + other.places };
}

export function plus(one: Fraction, other: Fraction): Fraction {
  const places = Math.max(one.places, other.places);
  return { units: widened(one, places) + widened(other, places), places };
}

/** Rounds a positive fraction half away from zero. */
export function rounded(exact: Fraction, places: number): Fraction {
  if (exact.places <= places) return { units: widened(exact, places), places };
  const divisor = 10n ** BigInt(exact.places - places);
  const half = exact.units % divisor >= divisor / 2n ? 1n : 0n;
  return { units: exact.units / divisor + half, places };
}

/** As JavaScript writes the number: without zeros behind it. */
export function textOf({ units, places }: Fraction): string {
  const digits = units.toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const decimals = digits.slice(digits.length - places).replace(/0+$/, '');
  return decimals === '' ? whole : `${whole}.${decimals}`;
}

const widened = ({ units, places }: Fraction, to: number): bigint => units * 10n ** BigInt(to - places);
