const lengthMin = 3;
const lengthMax = 48;

/**
 * What an organization of this name may be called in addresses: the letters and digits of the name, which the API takes.
 * Empty where they are too few.
 */
export function proposeSlug(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, lengthMax)
    .replace(/-$/, '');
  return slug.length < lengthMin ? '' : slug;
}
