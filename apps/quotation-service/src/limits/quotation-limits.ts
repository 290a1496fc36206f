import { hash } from 'node:crypto';
import { addressKey } from '@tenantry/service-kit/addresses';
import type { CountedLimiter, RateLimiter, RateLimits } from '@tenantry/service-kit/rate-limits';

/** The figures of the limits; each is a setting. */
export interface LimitFigures {
  readonly RATE_LIMIT_PDFS_PER_MINUTE: number;
  readonly RATE_LIMIT_OFFERS_PER_MINUTE: number;
}

/** Limits on what is expensive, or open to anyone with a link. The gateway limits everything else. */
export interface QuotationLimits {
  /** PDFs, by the member who asks for them. */
  readonly pdfs: CountedLimiter;
  /** PDFs, by the link that opens them. */
  readonly pdfsByLink: RateLimiter;
  /** The customer's pages and decisions, by client address. */
  readonly offers: RateLimiter;
  /** The same, by link, for all client addresses. */
  readonly offersByLink: RateLimiter;
}

/** Makes the limits of quotes. */
export function createQuotationLimits(rateLimits: RateLimits, figures: LimitFigures): QuotationLimits {
  const limit = (name: string, counted: string, max: number) =>
    rateLimits.limiter({ name, counted, windows: [{ max, seconds: 60 }] });
  const { RATE_LIMIT_PDFS_PER_MINUTE: pdfsMax, RATE_LIMIT_OFFERS_PER_MINUTE: offersMax } = figures;
  return {
    pdfs: limit('pdfs', 'PDFs made', pdfsMax),
    pdfsByLink: limit('pdfs-link', 'PDFs made of this quote', pdfsMax),
    offers: limit('offers', 'requests from your network', offersMax),
    offersByLink: limit('offers-link', 'requests with this link', offersMax),
  };
}

/** The address of a client, as limits count it. */
export const addressOf = ({ ip }: { readonly ip: string }): string => addressKey(ip);

/** The key of a link for limits: a digest that cannot open it. */
export const linkKey = (token: string): string => hash('sha256', token, 'base64url');
