import { composed } from '@tenantry/service-kit';
import type { ProviderProfile } from './provider.ts';

const lengthMax = 100;

/**
 * The name that a provider gives, on one line and as long as names are here; undefined where nothing of it can be shown.
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
