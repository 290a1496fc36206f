import { ApiError } from '@tenantry/envelope';
import type { Logo } from '../logos/logo.ts';
import type { Logos } from '../logos/logos.ts';
import type { Decisions } from '../quotes/decisions.ts';
import type { ReadLarge } from '../quotes/large-quotes.ts';
import { quoteDocument, type QuoteDocument } from '../quotes/quote-document.ts';
import type { Quote } from '../quotes/quote.ts';
import type { Quotes } from '../quotes/quotes.ts';
import type { OpenedLink, QuoteLinks } from '../sending/quote-links.ts';
import type { QuotePdfs } from '../quote-pdfs/quote-pdfs.ts';
import type { Settings } from '../settings/settings.ts';

/** The state of an offer as its customer sees it. */
export type OfferStanding =
  | { readonly state: 'open' }
  | { readonly state: 'accepted'; readonly name: string; readonly at: string }
  | { readonly state: 'rejected'; readonly at: string }
  | { readonly state: 'expired' }
  | { readonly state: 'superseded' };

/** A quote as its customer sees it, and the possible actions. */
export interface Offer {
  readonly quote: QuoteDocument;
  readonly standing: OfferStanding;
  /** The seller's logo. */
  readonly logo?: Logo;
}

/** A customer's decision, and its origin. */
export interface OfferDecision {
  /** Who signs an acceptance; null for a rejection. */
  readonly name: string | null;
  readonly reason?: string | undefined;
  readonly ipAddress: string;
  readonly userAgent: string | null;
  readonly readLarge: ReadLarge;
}

export interface OffersOptions {
  readonly links: Pick<QuoteLinks, 'open' | 'noteOpening'>;
  readonly quotes: Pick<Quotes, 'get' | 'head'>;
  readonly settings: Pick<Settings, 'shown'>;
  readonly logos: Pick<Logos, 'find'>;
  readonly decisions: Decisions;
  readonly quotePdfs: Pick<QuotePdfs, 'make'>;
  readonly now: () => Date;
}

/** What a customer can do with the link in the e-mail. */
export class Offers {
  readonly #options: OffersOptions;

  constructor(options: OffersOptions) {
    this.#options = options;
  }

  /** The offer of a link token, if any. */
  open(token: string): Promise<OpenedLink | undefined> {
    return this.#options.links.open(token);
  }

  /** Records when a person first opened the page. */
  noteOpening(opened: OpenedLink): Promise<void> {
    const { links, now } = this.#options;
    return links.noteOpening(opened, now());
  }

  async show(opened: OpenedLink, readLarge: ReadLarge): Promise<Offer> {
    const { quotes, settings, logos } = this.#options;
    const { tenant } = opened;
    const whole = await quotes.get(tenant, opened.quoteId, readLarge);
    const quote = quoteDocument(whole, await settings.shown(tenant));
    const logo = await logos.find(tenant, quote.seller.logo);
    return { quote, standing: await this.#standingOf(opened, whole), ...(logo && { logo }) };
  }

  /** The offer as PDF. @throws {ApiError} as {@link QuotePdfs.make} does */
  async pdf(
    { tenant, quoteId }: OpenedLink,
    asked: Parameters<QuotePdfs['make']>[2],
  ): Promise<{ readonly number: string; readonly bytes: Uint8Array }> {
    const { quotes, quotePdfs } = this.#options;
    const { number } = await quotes.head(tenant, quoteId);
    return { number, bytes: await quotePdfs.make(tenant, quoteId, asked) };
  }

  /** Accepts the offer; false if it can no longer be accepted. */
  accept(offer: OpenedLink, decided: OfferDecision & { readonly name: string }): Promise<boolean> {
    return this.#decide('accept', offer, decided);
  }

  /** Rejects it; false if it was already decided on or replaced. */
  reject(offer: OpenedLink, decided: OfferDecision): Promise<boolean> {
    return this.#decide('reject', offer, decided);
  }

  async #standingOf({ tenant, quoteId }: OpenedLink, quote: Quote): Promise<OfferStanding> {
    const { decisions, now } = this.#options;
    const { status, validUntil, supersededBy } = quote;
    if (status === 'accepted' || status === 'rejected') {
      const decision = await decisions.find(tenant, quoteId);
      const at = (decision?.decidedAt ?? now()).toISOString();
      return status === 'accepted'
        ? { state: status, name: decision?.name ?? '', at }
        : { state: status, at };
    }
    if (supersededBy !== null) return { state: 'superseded' };
    return { state: Date.parse(validUntil) < now().getTime() ? 'expired' : 'open' };
  }

  async #decide(
    decision: 'accept' | 'reject',
    opened: OpenedLink,
    { reason, readLarge, ...from }: OfferDecision,
  ): Promise<boolean> {
    const { decisions, now } = this.#options;
    const { tenant, quoteId: id } = opened;
    const context = { tenant, actor: { kind: 'customer', name: null }, now: now() } as const;
    await this.noteOpening(opened);
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
      // Expired, decided on or replaced: the page shows which.
      if (error instanceof ApiError && error.statusCode === 409) return false;
      throw error;
    }
  }
}
