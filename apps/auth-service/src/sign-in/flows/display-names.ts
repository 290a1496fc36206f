import { composed } from '@tenantry/text';

const lengthMax = 100;

/**
 * A name given by a provider, on one line and with the maximum length of names; undefined if no part of it can be shown.
 *
 * @example displayName(' Ada\tLovelace ') // 'Ada Lovelace'
 */
export function displayName(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const line = composed(given.toWellFormed())
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
  const cut = Array.from(line).slice(0, lengthMax).join('').trim();
  return cut === '' ? undefined : cut;
}

/** A name that a provider gives in parts; undefined if none of them can be shown. */
export function joinedName(...parts: readonly unknown[]): string | undefined {
  return displayName(parts.flatMap((part) => displayName(part) ?? []).join(' '));
}
