/** An amount as JSON carries it exactly: a number of up to 15 digits, and a larger one as its decimal text. */
export type Amount = number | string;

const numberDigitsMax = 15;

/**
 * The amount that a decimal text names.
 *
 * @example amountOf('4399.85') // 4399.85
 * @example amountOf('998900099999002.11') // '998900099999002.11', which no JSON number is
 */
export function amountOf(text: string): Amount {
  return text.replaceAll(/\D/g, '').length <= numberDigitsMax ? Number(text) : text;
}

/** More than amounts have, so that sums of them are whole numbers. */
const decimals = 20;
const plain = new RegExp(String.raw`^(-?)(\d+)(?:\.(\d{1,${decimals}}))?$`);

/**
 * Adds amounts exactly, however large.
 *
 * @throws {RangeError} for a text that is no decimal number.
 */
export function addAmounts(amounts: Iterable<Amount>): Amount {
  let sum = 0n;
  for (const amount of amounts) sum += unitsOf(amount);
  const digits = String(sum < 0n ? -sum : sum).padStart(decimals + 1, '0');
  const text = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '');
  return amountOf(sum < 0n ? `-${text}` : text);
}

function unitsOf(amount: Amount): bigint {
  const [, sign, whole, part = ''] = plain.exec(String(amount)) ?? [];
  if (whole === undefined) throw new RangeError(`${amount} is no amount.`);
  return BigInt(`${sign}${whole}${part.padEnd(decimals, '0')}`);
}
