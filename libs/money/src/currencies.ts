/** The currencies in use: ISO 4217, list one, without funds, metals and test codes. */
const inUse = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP
  CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR
  IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU
  MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG
  SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST
  XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`;

const withoutMinorUnit = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const withThousandths = 'BHD IQD JOD KWD LYD OMR TND';

const codesIn = (list: string): string[] => list.trim().split(/\s+/);

const digitsByCode: ReadonlyMap<string, number> = new Map([
  ...codesIn(inUse).map((code) => [code, 2] as const),
  ...codesIn(withoutMinorUnit).map((code) => [code, 0] as const),
  ...codesIn(withThousandths).map((code) => [code, 3] as const),
]);

/** Whether a text is the ISO 4217 code of a currency in use. */
export function isCurrency(code: string): boolean {
  return digitsByCode.has(code);
}

/**
 * How many decimals the amounts of a currency have: its minor unit in ISO 4217.
 *
 * @throws {RangeError} for a code that is not in use.
 * @example minorDigits('SEK') // 2
 */
export function minorDigits(code: string): number {
  const digits = digitsByCode.get(code);
  if (digits === undefined) throw new RangeError(`${code} is not the ISO 4217 code of a currency in use.`);
  return digits;
}

/** Quotes keep amounts of so many decimals. */
const quotableDigitsMax = 2;

/** The currencies that quotes can be in: those in use with at most two decimals. */
export const quotableCurrencies: readonly string[] = [...digitsByCode.keys()].filter(
  (code) => minorDigits(code) <= quotableDigitsMax,
);

/** Whether a text is the ISO 4217 code of a currency that quotes can be in. */
export function isQuotable(code: string): boolean {
  return isCurrency(code) && minorDigits(code) <= quotableDigitsMax;
}

/** What a field has to be that names one. */
export const quotableMessage =
  'must be the ISO 4217 code of a currency in use with at most two decimals, such as EUR';
