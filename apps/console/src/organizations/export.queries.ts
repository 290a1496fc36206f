import type { api } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import { useScope, useTenantry } from '../sessions/sessions.queries.ts';

/** What is exported apart, and the file that it becomes. */
export const exportedFiles = {
  leads: 'leads-service.zip',
  quotes: 'quotation-service.zip',
  people: 'users-service.zip',
  organization: 'auth-service.zip',
} as const;

export type ExportedPart = keyof typeof exportedFiles;

/** Which PDFs are in an archive. */
export type PdfChoice = Pick<NonNullable<api.ExportQuotationOfOrganizationData['query']>, 'pdfs' | 'year'>;

/**
 * Asks whether a part may be exported, which renews the session and confirms who somebody is. Then a link gives the archive, which
 * the browser writes to its disk as it arrives: a link can do neither, and shows no refusal.
 *
 * @returns a mutation that gives the address
 */
export function useArchive(part: ExportedPart) {
  const tenantry = useTenantry();
  const organizationId = useScope();
  return useMutation({
    mutationFn: async (choice: PdfChoice): Promise<string> => {
      const query = { mode: 'check' } as const;
      if (part === 'leads') await tenantry.exportLeadsOfOrganization({ query });
      else if (part === 'people') await tenantry.exportUsersOfOrganization({ query });
      else if (part === 'quotes')
        await tenantry.exportQuotationOfOrganization({ query: { ...query, ...choice } });
      else await tenantry.exportAuthOfOrganization({ path: { organizationId }, query });
      const chosen = Object.entries(choice).map(([name, value]) => [name, String(value)]);
      const search = new URLSearchParams(chosen).toString();
      return `${pathOf(part, organizationId)}${search && `?${search}`}`;
    },
  });
}

function pathOf(part: ExportedPart, organizationId: string): string {
  if (part === 'organization') return `/api/auth/organization/${organizationId}/export`;
  const services = { leads: 'leads', quotes: 'quotation', people: 'users' } as const;
  return `/api/${services[part]}/export/organization`;
}
