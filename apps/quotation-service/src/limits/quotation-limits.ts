import { hash } from 'node:crypto';
import { addressKey } from '@tenantry/service/addresses';
import type { RateLimits } from '@tenantry/service/rate-limits';

/** Limits on what is expensive, or open to anyone with a link. The gateway limits everything else. */
export type QuotationLimits = ReturnType<typeof createQuotationLimits>;

/** Makes the limits of quotes. Their figures are settings. */
export function createQuotationLimits(
  rateLimits: RateLimits,
  figures: Readonly<Record<'RATE_LIMIT_PDFS_PER_MINUTE' | 'RATE_LIMIT_OFFERS_PER_MINUTE', number>>,
) {
  const limit = (name: string, counted: string, max: number) =>
    rateLimits.limiter({ name, counted, windows: [{ max, seconds: 60 }] });
  const { RATE_LIMIT_PDFS_PER_MINUTE: pdfsMax, RATE_LIMIT_OFFERS_PER_MINUTE: offersMax } = figures;
  return {
    /** PDFs, by the member who asks for them. */
    pdfs: limit('pdfs', 'PDFs made', pdfsMax),
    /** PDFs, by the link that opens them. */
    pdfsByLink: limit('pdfs-link', 'PDFs made of this quote', pdfsMax),
    /** Requests with links that open nothing, by client address. */
    offers: limit('offers', 'unknown links from your network', offersMax),
    /** The customer's pages and decisions, by link, for all client addresses. */
    offersByLink: limit('offers-link', 'requests with this link', offersMax),
  };
}

/** The address of a client, as limits count it. */
export const addressOf = ({ ip }: { readonly ip: string }): string => addressKey(ip);

/** The key of a link for limits: a digest that cannot open it. */
export const linkKey = (token: string): string => hash('sha256', token, 'base64url');
