import { randomInt } from 'node:crypto';

/** 3 to 48 of a to z, 0 to 9 and hyphens, which stand neither first nor last. */
export const slugPattern = '^[a-z0-9][a-z0-9-]{1,46}[a-z0-9]$';

export const slugRule = 'must be 3 to 48 characters of a to z, 0 to 9 and inner hyphens';

const stemLengthMax = 32;

/**
 * Generates a slug: the ASCII letters and digits of a name, and a random suffix.
 *
 * @param suffix random a to z and 0 to 9, at most 15.
 */
export function slugFrom(name: string, suffix: string): string {
  const stem = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, stemLengthMax)
    .replaceAll(/^-|-$/g, '');
  return `${stem === '' ? 'organization' : stem}-${suffix}`;
}

const suffixLength = 8;

/** A random suffix for {@link slugFrom}. */
export function newSlugSuffix(): string {
  return Array.from({ length: suffixLength }, () => randomInt(36).toString(36)).join('');
}
