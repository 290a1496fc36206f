import type { api } from '@tenantry/client';
import { folded } from '../design/folded.ts';

/** The organizations whose name or short name has what was typed. */
export function organizationsCalled(
  typed: string,
  organizations: readonly api.OrganizationListItem[],
): readonly api.OrganizationListItem[] {
  const sought = folded(typed).trim();
  return organizations.filter(
    ({ name, slug }) => folded(name).includes(sought) || folded(slug).includes(sought),
  );
}
