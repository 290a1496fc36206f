import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useScope, useTenantry } from '../sessions/sessions.queries.ts';

/** The services that keep a trail. */
export const trails = ['organization', 'leads', 'quotes'] as const;

/** One of them. */
export type Trail = (typeof trails)[number];

/** The recorded actions, each of which has a sentence. */
export type Action =
  | api.AuditEvent['action']
  | api.LeadAuditEvent['action']
  | api.QuotationAuditEvent['action'];

/** The fields that entries of changes name, each of which has a name in words. */
export type ChangedField = FieldsOf<api.AuditEvent | api.LeadAuditEvent | api.QuotationAuditEvent>;

type FieldsOf<Event extends { readonly details: { readonly fields?: readonly string[] } }> = NonNullable<
  Event['details']['fields']
>[number];

/** An audit entry. */
export interface Happening {
  readonly id: string;
  readonly trail: Trail;
  /** A newer service may record others. */
  readonly action: string;
  readonly actor: api.Actor;
  readonly target: { readonly type: string; readonly id: string; readonly name: string | null } | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
}

/** The filter of events. */
export interface ActivityFilter {
  readonly actorUserId: string | undefined;
  /** What it happened to. */
  readonly targetId: string | undefined;
  /** The earliest moment, and the one before which; ISO 8601. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const pageSize = 50;

const trailQuery = (tenantry: Tenantry, organizationId: string, { trail, filter }: AskedTrail) =>
  infiniteQueryOptions({
    queryKey: [organizationId, 'trail', trail, filter],
    queryFn: async ({ pageParam, signal }) => {
      const asked = { query: { ...filter, page: pageParam, pageSize }, signal };
      const { data } = await {
        organization: () => tenantry.listOrganizationAuditEvents({ path: { organizationId }, ...asked }),
        leads: () => tenantry.listLeadAuditEvents(asked),
        quotes: () => tenantry.listQuotationAuditEvents(asked),
      }[trail]();
      return { ...data, rows: data.rows.map((event): Happening => ({ ...event, trail })) };
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, total }) => (page * pageSize < total ? page + 1 : undefined),
  });

interface AskedTrail {
  readonly trail: Trail;
  readonly filter: ActivityFilter;
}

/** One trail, newest first; not loaded if filtered out. */
export function useTrail(trail: Trail, filter: ActivityFilter, isWanted: boolean) {
  const query = trailQuery(useTenantry(), useScope(), { trail, filter });
  return useInfiniteQuery({ ...query, enabled: isWanted });
}
