import { ApiError } from '@tenantry/envelope';
import type { Tenant } from '../database.ts';
import type { Logo } from '../logos/logo.ts';
import type { Decisions } from '../quotes/decisions.ts';
import type { QuoteDocument } from '../quotes/quote-document.ts';

/** How an offer stands to the customer who looks at it. */
export type OfferStanding =
  | { readonly state: 'open' }
  | { readonly state: 'accepted'; readonly name: string; readonly at: string }
  | { readonly state: 'rejected'; readonly at: string }
  | { readonly state: 'expired' }
  | { readonly state: 'superseded' };

/** A quote as its customer sees it, and what may be done with it. */
export interface Offer {
  readonly organizationId: string;
  readonly quote: QuoteDocument;
  readonly standing: OfferStanding;
  /** The picture of the seller. */
  readonly logo?: Logo;
}

/** What a customer answers, and from where. */
export interface OfferAnswer {
  /** Who signs an acceptance; null for a rejection. */
  readonly name: string | null;
  readonly reason?: string | undefined;
  readonly ipAddress: string;
  readonly userAgent: string | null;
}

/** What a customer does by the link in the mail. A token that opens nothing gives undefined. */
export interface Offers {
  find(token: string): Promise<Offer | undefined>;
  /** Accepts what the link shows; false when it can no longer be accepted. */
  accept(token: string, answer: OfferAnswer & { readonly name: string }): Promise<boolean | undefined>;
  /** Rejects it; false when it is answered, or replaced, already. */
  reject(token: string, answer: OfferAnswer): Promise<boolean | undefined>;
}

/** What a link opens. */
export interface OpenedOffer {
  readonly tenant: Tenant;
  readonly quoteId: string;
}

/** The quote as it is read. */
export interface ReadOffer {
  readonly document: QuoteDocument;
  readonly logo: Logo | undefined;
  /** Whether a newer revision has replaced it. */
  readonly superseded: boolean;
}

/** What offers need. */
export interface OffersOptions {
  readonly open: (token: string) => Promise<OpenedOffer | undefined>;
  readonly read: (tenant: Tenant, quoteId: string) => Promise<ReadOffer>;
  readonly decisions: Decisions;
  readonly now: () => Date;
}

/** Makes the use cases of customers. */
export function createOffers({ open, read, decisions, now }: OffersOptions): Offers {
  async function standingOf({ tenant, quoteId }: OpenedOffer, { document, superseded }: ReadOffer) {
    const { status, validUntil } = document;
    if (status === 'accepted' || status === 'rejected') {
      const decision = await decisions.find(tenant, quoteId);
      const at = (decision?.decidedAt ?? now()).toISOString();
      return status === 'accepted'
        ? { state: status, name: decision?.name ?? '', at }
        : { state: status, at };
    }
    if (superseded) return { state: 'superseded' } as const;
    return { state: Date.parse(validUntil) < now().getTime() ? 'expired' : 'open' } as const;
  }

  async function decide(
    decision: 'accept' | 'reject',
    token: string,
    { reason, ...from }: OfferAnswer,
  ): Promise<boolean | undefined> {
    const opened = await open(token);
    if (!opened) return undefined;
    const decider = { userId: null, ...from };
    try {
      await decisions[decision](opened.tenant, { id: opened.quoteId, accepts: () => true, decider, reason });
      return true;
    } catch (error) {
      // Expired, answered or replaced: the page says which.
      if (error instanceof ApiError && error.statusCode === 409) return false;
      throw error;
    }
  }

  return {
    async find(token) {
      const opened = await open(token);
      if (!opened) return undefined;
      const found = await read(opened.tenant, opened.quoteId);
      const { document: quote, logo } = found;
      const { organizationId } = opened.tenant.scope;
      return { organizationId, quote, standing: await standingOf(opened, found), ...(logo && { logo }) };
    },
    accept: (token, answer) => decide('accept', token, answer),
    reject: (token, answer) => decide('reject', token, answer),
  };
}
