import type { api } from '@tenantry/client';

/** As people type names: without their accents, in any case. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .trim();

/** The organizations whose name or short name has what was typed. */
export function organizationsCalled(
  typed: string,
  organizations: readonly api.OrganizationListItem[],
): readonly api.OrganizationListItem[] {
  const sought = plain(typed);
  return organizations.filter(({ name, slug }) => plain(name).includes(sought) || slug.includes(sought));
}
