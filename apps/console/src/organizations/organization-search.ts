import type { api } from '@tenantry/client';
import { foldText, loosen } from '@tenantry/text';

/** As searches of the services compare names. */
const plain = (text: string): string => loosen(foldText(text)).trim();

/** The organizations whose name or short name has what was typed. */
export function organizationsCalled(
  typed: string,
  organizations: readonly api.OrganizationListItem[],
): readonly api.OrganizationListItem[] {
  const sought = plain(typed);
  return organizations.filter(
    ({ name, slug }) => plain(name).includes(sought) || plain(slug).includes(sought),
  );
}
