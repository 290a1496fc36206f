import { composed } from '@tenantry/service-kit';
import type { ProviderProfile } from './provider.ts';

const lengthMax = 100;

/**
 * The name given by a provider, on one line and with the maximum length of names; undefined if no part of it can be shown.
 *
 * @example displayNameIn({ name: ' Ada\tLovelace ' }) // 'Ada Lovelace'
 */
export function displayNameIn({ name }: Pick<ProviderProfile, 'name'>): string | undefined {
  const line = composed((name ?? '').toWellFormed())
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim();
  const cut = Array.from(line).slice(0, lengthMax).join('').trim();
  return cut === '' ? undefined : cut;
}
