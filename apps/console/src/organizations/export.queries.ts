import { useEffect, useRef } from 'react';
import type { api } from '@tenantry/client';
import { useMutation } from '../design/use-mutation.ts';
import { useTenantry } from '../sessions/sessions.queries.ts';

/** What is exported apart, and the file that it becomes. */
export const exportedFiles = {
  leads: 'leads-service.zip',
  quotes: 'quotation-service.zip',
  people: 'users-service.zip',
} as const;

export type ExportedPart = keyof typeof exportedFiles;

/** Which PDFs are in an archive. */
export type PdfChoice = NonNullable<api.ExportQuotationOfOrganizationData['query']>;

/**
 * Fetches the archive of a part, whole; it ends with the page. A link could neither ask who somebody is nor show a refusal.
 */
export function useArchive(part: ExportedPart) {
  const tenantry = useTenantry();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  return useMutation({
    mutationFn: async (query: PdfChoice): Promise<Blob> => {
      const { signal } = (running.current = new AbortController());
      if (part === 'leads') return (await tenantry.exportLeadsOfOrganization({ signal })).data;
      if (part === 'people') return (await tenantry.exportUsersOfOrganization({ signal })).data;
      return (await tenantry.exportQuotationOfOrganization({ query, signal })).data;
    },
  });
}
