import type { api } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import { useWords } from '../design/language.ts';
import { unsaved } from '../design/unsaved.ts';
import { useReload, useTenantry } from '../sessions/sessions.queries.ts';
import type { OrganizationWords } from './organizations.words.en.ts';
import { organizationWords } from './organizations.words.ts';

/** What roles are called. */
export const useRoleNames = (): OrganizationWords['roles'] => useWords(organizationWords).roles;

/** Makes an organization the active one, in all tabs, unless the user stays because of unsaved changes. */
export function useSwitchOrganization() {
  const [tenantry, reload] = [useTenantry(), useReload()];
  return useMutation({
    mutationFn: async (organizationId: string) => {
      if (!(await unsaved.mayLeave('session'))) return;
      await tenantry.switchOrganization({ body: { organizationId } });
      await reload();
    },
  });
}

/** Creates an organization, and switches to it. */
export function useCreateOrganization() {
  const [tenantry, reload] = [useTenantry(), useReload()];
  return useMutation({
    mutationFn: async (body: api.CreateOrganizationBody) => {
      const { data } = await tenantry.createOrganization({ body });
      await tenantry.switchOrganization({ body: { organizationId: data.organization.id } });
      await reload();
    },
  });
}
