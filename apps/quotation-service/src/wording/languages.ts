/** A language of documents. */
export type Language = (typeof languageCodes)[number];

/** The supported languages (BCP 47). */
export const languageCodes = ['en', 'sv'] as const;

const english = {
  /** BCP 47: how dates and amounts are written. */
  locale: 'en-GB',
  quote: 'Quote',
  draft: 'Draft',
  preparedFor: 'Prepared for',
  number: 'Quote number',
  revision: 'Revision',
  date: 'Date',
  validUntil: 'Valid until',
  vatNumber: 'VAT number',
  description: 'Description',
  quantity: 'Quantity',
  unitPrice: 'Unit price',
  amount: 'Amount',
  continued: 'continued',
  subtotal: 'Subtotal',
  /** With the rate: `VAT 25%`. */
  vat: (rate: string) => `VAT ${rate}`,
  total: 'Total',
  validity: (day: string) => `This quote is valid until ${day}.`,
  page: (page: number, pages: number) => `${page} of ${pages}`,
  contract: 'Contract',
  /** The day on which a quote was sent. */
  quoted: 'Quoted',
  accepted: 'Accepted',
  seller: 'Seller',
  customer: 'Customer',
  acceptance: 'Acceptance',
  theCustomer: 'The customer',
  acceptedBy: ({ name, moment, number }: Accepted & { readonly name: string }) =>
    `${name} accepted quote ${number} on ${moment}. What was agreed is stated above.`,
  acceptedForCustomer: ({ moment, number }: Accepted) =>
    `The seller recorded on ${moment} that the customer accepted quote ${number}. What was agreed is stated above.`,
  fingerprint: (hash: string) => `Fingerprint of what was accepted (SHA-256): ${hash}`,
  signatures: 'Signatures',
  placeAndDate: 'Place and date',
  signature: 'Signature',
  printedName: 'Name in print',
};

/** An acceptance, as a sentence tells it. */
interface Accepted {
  readonly moment: string;
  /** The quote's. */
  readonly number: string;
}

/** The texts of documents in a language. */
export type Words = typeof english;

const swedish: Words = {
  locale: 'sv-SE',
  quote: 'Offert',
  draft: 'Utkast',
  preparedFor: 'Till',
  number: 'Offertnummer',
  revision: 'Version',
  date: 'Datum',
  validUntil: 'Giltig till',
  vatNumber: 'Momsreg.nr',
  description: 'Beskrivning',
  quantity: 'Antal',
  unitPrice: 'À-pris',
  amount: 'Belopp',
  continued: 'fortsättning',
  subtotal: 'Summa exkl. moms',
  vat: (rate) => `Moms ${rate}`,
  total: 'Totalt',
  validity: (day) => `Offerten gäller till och med ${day}.`,
  page: (page, pages) => `${page} av ${pages}`,
  contract: 'Avtal',
  quoted: 'Offererat',
  accepted: 'Accepterat',
  seller: 'Säljare',
  customer: 'Kund',
  acceptance: 'Accept',
  theCustomer: 'Kunden',
  acceptedBy: ({ name, moment, number }) =>
    `${name} accepterade offert ${number} den ${moment}. Det som avtalats framgår ovan.`,
  acceptedForCustomer: ({ moment, number }) =>
    `Säljaren antecknade den ${moment} att kunden accepterat offert ${number}. Det som avtalats framgår ovan.`,
  fingerprint: (hash) => `Fingeravtryck av det som accepterades (SHA-256): ${hash}`,
  signatures: 'Underskrifter',
  placeAndDate: 'Ort och datum',
  signature: 'Namnteckning',
  printedName: 'Namnförtydligande',
};

const languages: Readonly<Record<Language, Words>> = { en: english, sv: swedish };

/** The words of a language. */
export const wordsOf = (language: Language): Words => languages[language];

/** The supported language that a reader prefers (RFC 9110, 12.5.4); English without a preference. */
export function languageFor(acceptLanguage: string | undefined): Language {
  const preferred = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', weight = ''] = part.trim().toLowerCase().split(';');
      return { language: tag.split('-')[0] ?? '', weight: Number(/q=([\d.]+)/.exec(weight)?.[1] ?? 1) };
    })
    .sort((a, b) => b.weight - a.weight)
    .find(({ language, weight }) => weight > 0 && Object.hasOwn(languages, language));
  return (preferred?.language as Language | undefined) ?? 'en';
}
