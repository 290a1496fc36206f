import { timingSafeEqual } from 'node:crypto';
import type { TenantDatabase } from '@tenantry/tenancy';
import type { LocatedTokens } from '../tokens/located-tokens.ts';
import type { Tenant } from './tenants.ts';

/** A row that a token in a link opens. */
export interface LinkedRow {
  /** What was stored when the token was made. */
  readonly digest: Uint8Array;
}

/**
 * Opens the row named by the token of a link, on a public route; undefined unless the token was created for that row. Only then
 * is the organization returned: a token that merely names one opens nothing.
 *
 * @example
 * const link = await openLink({ tokens: quoteLinks, token, find: (tenant, id) => links.find(tenant, id) });
 * if (!link) throw linkNotFound();
 */
export type OpenLink = <Row extends LinkedRow>(link: {
  readonly tokens: LocatedTokens;
  /** As the link carries it. */
  readonly token: string;
  /** Reads the row that the token names. */
  readonly find: (tenant: Tenant, id: string) => Promise<Row | undefined>;
}) => Promise<{ readonly tenant: Tenant; readonly row: Row } | undefined>;

/**
 * Makes {@link OpenLink}. Links of a deleted organization open nothing.
 *
 * @param hasEnded whether it was deleted; undefined for a service without events
 */
export function createOpenLink(
  database: TenantDatabase,
  hasEnded?: (organizationId: string) => Promise<boolean>,
): OpenLink {
  return async ({ tokens, token, find }) => {
    const shown = tokens.read(token);
    if (!shown) return undefined;
    const tenant = database.within({ organizationId: shown.ownerId });
    const row = await find(tenant, shown.id);
    if (row?.digest.length !== shown.digest.length || !timingSafeEqual(row.digest, shown.digest)) {
      return undefined;
    }
    if (await hasEnded?.(shown.ownerId)) return undefined;
    return { tenant, row };
  };
}
