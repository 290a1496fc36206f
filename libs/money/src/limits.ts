/**
 * What a line and a quote may hold. The largest amounts have 15 digits, which a JSON number carries exactly.
 */
export const limits = Object.freeze({
  quantity: Object.freeze({ decimals: 4, maximum: 9_999_999.9999 }),
  unitPrice: Object.freeze({ decimals: 4, maximum: 99_999_999.9999 }),
  vatRate: Object.freeze({ decimals: 2, maximum: 100 }),
  lineTotalMax: 999_999_999_999.99,
  quoteTotalMax: 9_999_999_999_999.99,
});
