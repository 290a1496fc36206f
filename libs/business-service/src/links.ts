import { timingSafeEqual } from 'node:crypto';
import type { LocatedTokens } from '@tenantry/service-kit/tokens';
import type { TenantDatabase } from '@tenantry/tenancy';
import type { Tenant } from './tenants.ts';

/** A row that a token in a link opens. */
export interface LinkedRow {
  /** What was stored when the token was made. */
  readonly digest: Uint8Array;
}

/** A link that somebody follows. */
export interface FollowedLink<Client, Row extends LinkedRow> {
  readonly tokens: LocatedTokens;
  /** As the link carries it. */
  readonly token: string;
  /** Reads the row that the token names. */
  readonly find: (tenant: Tenant<Client>, id: string) => Promise<Row | undefined>;
}

/** What a link opens: its row, and the organization that the row belongs to. */
export interface OpenedLink<Client, Row extends LinkedRow> {
  readonly tenant: Tenant<Client>;
  readonly row: Row;
}

/**
 * Opens what the token in a link names, on a route where nobody is signed in; undefined for any token but the one that
 * was made for the row. The organization is handed out only then: a token that merely names one opens nothing.
 *
 * @example
 * const link = await openLink({ tokens: quoteLinks, token, find: (tenant, id) => links.find(tenant, id) });
 * if (!link) throw linkNotFound();
 */
export type OpenLink<Client> = <Row extends LinkedRow>(
  link: FollowedLink<Client, Row>,
) => Promise<OpenedLink<Client, Row> | undefined>;

/**
 * Makes {@link OpenLink}. Links of an organization that was deleted open nothing.
 *
 * @param hasEnded whether it was; undefined for a service that is not told
 */
export function createOpenLink<Client>(
  database: TenantDatabase<Client>,
  hasEnded?: (organizationId: string) => Promise<boolean>,
): OpenLink<Client> {
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
