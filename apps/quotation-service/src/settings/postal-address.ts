import type { PostalAddress } from '@tenantry/business-service';

const countryNames = new Intl.DisplayNames('en', { type: 'region' });

/** The lines of an address on a document; the country last, by its English name. */
export function addressText(address: PostalAddress | null): string {
  if (!address) return '';
  const { lines, postalCode, city, country } = address;
  return [...lines, `${postalCode} ${city}`.trim(), countryNames.of(country) ?? country].join('\n');
}
