import { ApiError } from '@tenantry/envelope';
import type { Tenant } from '../database.ts';
import type { Logo } from '../logos/logo.ts';
import type { Decisions } from '../quotes/decisions.ts';
import type { ReadLarge } from '../quotes/large-quotes.ts';
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
  readonly readLarge: ReadLarge;
}

/** What a customer does by the link in the mail. */
export interface Offers {
  /** What a token in a link opens, if anything. */
  open(token: string): Promise<OpenedOffer | undefined>;
  /** Keeps when a person first opened the page. */
  noteOpening(offer: OpenedOffer): Promise<void>;
  show(offer: OpenedOffer, readLarge: ReadLarge): Promise<Offer>;
  /** Accepts what the link shows; false when it can no longer be accepted. */
  accept(offer: OpenedOffer, answer: OfferAnswer & { readonly name: string }): Promise<boolean>;
  /** Rejects it; false when it is answered, or replaced, already. */
  reject(offer: OpenedOffer, answer: OfferAnswer): Promise<boolean>;
}

/** What a link opens. */
export interface OpenedOffer {
  readonly tenant: Tenant;
  readonly quoteId: string;
  readonly linkId: string;
  /** Whether a person has opened it before. */
  readonly isOpened: boolean;
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
  readonly read: (tenant: Tenant, quoteId: string, readLarge: ReadLarge) => Promise<ReadOffer>;
  readonly markOpened: (tenant: Tenant, linkId: string, at: Date) => Promise<void>;
  readonly decisions: Decisions;
  readonly now: () => Date;
}

export function createOffers({ open, read, markOpened, decisions, now }: OffersOptions): Offers {
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

  async function noteOpening({ tenant, linkId, isOpened }: OpenedOffer): Promise<void> {
    if (!isOpened) await markOpened(tenant, linkId, now());
  }

  async function decide(
    decision: 'accept' | 'reject',
    opened: OpenedOffer,
    { reason, readLarge, ...from }: OfferAnswer,
  ): Promise<boolean> {
    const { tenant, quoteId: id } = opened;
    const context = { tenant, actor: { kind: 'customer', name: null }, now: now() } as const;
    await noteOpening(opened);
    try {
      await decisions[decision](context, {
        id,
        accepts: () => true,
        decider: from,
        reason,
        readLarge,
      });
      return true;
    } catch (error) {
      // Expired, answered or replaced: the page says which.
      if (error instanceof ApiError && error.statusCode === 409) return false;
      throw error;
    }
  }

  return {
    open,
    noteOpening,
    async show(opened, readLarge) {
      const found = await read(opened.tenant, opened.quoteId, readLarge);
      const { document: quote, logo } = found;
      return { quote, standing: await standingOf(opened, found), ...(logo && { logo }) };
    },
    accept: (offer, answer) => decide('accept', offer, answer),
    reject: (offer, answer) => decide('reject', offer, answer),
  };
}
