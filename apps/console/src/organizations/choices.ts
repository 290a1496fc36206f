import type { api } from '@tenantry/client';

/** ISO 3166-1 alpha-2. */
const codes =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC ' +
  'CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD ' +
  'GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH ' +
  'KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW ' +
  'MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC ' +
  'SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY ' +
  'UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW';

/** Something to choose by its name. */
export interface Choice {
  readonly code: string;
  readonly name: string;
}

/** The countries, as a language calls them and in its order. */
export function countriesIn(language: string): readonly Choice[] {
  return namedIn(language, 'region', codes.split(' '));
}

/** The lines of an address, with its country as a language calls it; none that is empty. */
export function addressLines(address: api.PostalAddress, language: string): readonly string[] {
  if (!address) return [];
  const { lines, postalCode, city, country } = address;
  const name = countriesIn(language).find(({ code }) => code === country)?.name ?? country;
  return [...lines, `${postalCode} ${city}`.trim(), name].filter((line) => line !== '');
}

/** The currencies that the browser knows, and the present one. */
export function currenciesIn(language: string, present: string): readonly Choice[] {
  return namedIn(language, 'currency', [...new Set([...Intl.supportedValuesOf('currency'), present])]);
}

function namedIn(language: string, type: 'region' | 'currency', known: readonly string[]): readonly Choice[] {
  const names = new Intl.DisplayNames(language, { type });
  const { compare } = new Intl.Collator(language);
  return known
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .toSorted((one, other) => compare(one.name, other.name));
}
