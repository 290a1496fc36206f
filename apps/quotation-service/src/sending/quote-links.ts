import { randomUUID } from 'node:crypto';
import type { OpenLink } from '@tenantry/service/business';
import { LocatedTokens } from '@tenantry/service/tokens';
import type { Rows, Tenant } from '../database.ts';
import type { Hindrance, QuoteLink, QuoteLinkRepository } from './quote-links.repository.ts';

/** The tokens in links to quotes: 256 random bits, of which only the digest is stored. */
export const quoteTokens = new LocatedTokens('quote_');

/** The quote is no longer offered. */
export class NotOffered extends Error {
  readonly reason: Hindrance;

  constructor(quoteId: string, reason: Hindrance) {
    super(`the quote ${quoteId} is no longer offered: ${reason}`);
    this.reason = reason;
  }
}

/** An opened link, and its organization. */
export interface OpenedLink extends Pick<QuoteLink, 'linkId' | 'quoteId' | 'isOpened' | 'language'> {
  readonly tenant: Tenant;
}

export interface QuoteLinksOptions {
  readonly repository: QuoteLinkRepository;
  readonly openLink: OpenLink;
  /** The public URL of the gateway: `https://api.example`. */
  readonly publicUrl: string;
}

/** Links by which customers open quotes. */
export class QuoteLinks {
  readonly #options: QuoteLinksOptions;

  constructor(options: QuoteLinksOptions) {
    this.#options = options;
  }

  /** A new link to a quote; earlier ones keep working. @throws {@link NotOffered} */
  async make(
    rows: Rows,
    { organizationId, quoteId }: { readonly organizationId: string; readonly quoteId: string },
  ): Promise<string> {
    const { repository, publicUrl } = this.#options;
    const linkId = randomUUID();
    const { token, digest } = quoteTokens.make({ ownerId: organizationId, id: linkId });
    const hindrance = await repository.insert(rows, { linkId, quoteId, digest });
    if (hindrance) throw new NotOffered(quoteId, hindrance);
    // In the query: paths are logged, queries are not.
    return `${publicUrl}/api/quotation/offer?token=${token}`;
  }

  /** The quote that a token opens, if any. */
  async open(token: string): Promise<OpenedLink | undefined> {
    const { repository, openLink } = this.#options;
    const find = (tenant: Tenant, id: string) => repository.find(tenant, id);
    const link = await openLink({ tokens: quoteTokens, token, find });
    return link && { tenant: link.tenant, ...link.row };
  }

  /** Records when a person first opened the page of a link. */
  async noteOpening({ tenant, linkId, isOpened }: OpenedLink, at: Date): Promise<void> {
    if (!isOpened) await this.#options.repository.markOpened(tenant, linkId, at);
  }

  /** How many links a quote has. */
  count(rows: Rows, quoteId: string): Promise<number> {
    return this.#options.repository.count(rows, quoteId);
  }
}
