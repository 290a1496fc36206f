import { Readable } from 'node:stream';
import { ApiError } from '@tenantry/envelope';
import type { Asking } from '@tenantry/fair-shares';
import { clientSignal } from '@tenantry/service/failures';
import { acceptFormsOnly, type Service } from '@tenantry/service/http';
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { addressOf, linkKey, type QuotationLimits } from '../limits/quotation-limits.ts';
import { isSurelyTooLarge, tooLargeForPdf } from '../pdf/pdf-size.ts';
import { answerTimeoutSeconds } from '../pdf/pdfs.ts';
import type { LargeQuotes } from '../quotes/large-quotes.ts';
import { readLargeInTurn, readLargeNow } from '../quotes/quote-requests.http.ts';
import {
  formOf,
  isByPerson,
  languageOf,
  readName,
  readReason,
  sendFailurePage,
  sendPage,
  tokenOf,
} from './offer-requests.http.ts';
import type { OpenedLink } from '../sending/quote-links.ts';
import type { OfferDecision, Offers } from './offers.ts';
import type { Problem } from './pages/decision-forms.ts';
import { inTurns } from './pages/in-turns.ts';
import type { Language } from '../wording/languages.ts';
import { unknownLinkPage } from './pages/notice-page.ts';
import { offerPage } from './pages/offer-page.ts';

export interface OffersRoutesOptions {
  readonly offers: Offers;
  readonly largeQuotes: LargeQuotes;
  readonly limits: Pick<QuotationLimits, 'offers' | 'offersByLink' | 'pdfsByLink'>;
}

const offer = '/api/quotation/offer';
// For people: not an operation of the API, and not in its document.
const hidden: FastifySchema & { readonly hide: true } = { hide: true };
const page = { config: { access: 'public' }, schema: hidden } as const;

/** The request of a customer who has followed a link, and its response. */
interface Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly opened: OpenedLink;
}

/** How an offer is shown. */
interface Shown {
  readonly status: number;
  /** Whether the quote fits into a PDF, if known. */
  readonly hasPdf?: boolean;
  readonly problem?: Problem;
}

/**
 * The customer's page: HTML without script or cookies. The token is in the query or in the form, never in the path, which is
 * logged. A form is authorized by its token, which pages of other sites do not know.
 */
export function offersRoutes(app: Service, options: OffersRoutesOptions): void {
  const { offers, largeQuotes, limits } = options;
  acceptFormsOnly(app);
  app.setErrorHandler((error, request, reply) => sendFailurePage(error, request, reply));

  /**
   * A handler for a valid link. Others are counted by client address, and valid ones are let through however many they are: a page
   * that somebody visits can send any number of them, and a link is too long to guess.
   */
  const visited =
    (serve: (visit: Visit) => Promise<FastifyReply>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const token = tokenOf(request);
      const opened = await offers.open(token);
      await (opened
        ? limits.offersByLink.consume(linkKey(token))
        : limits.offers.consume(addressOf(request)));
      if (!opened) return sendPage(reply, 404, unknownLinkPage(languageOf(request)));
      return serve({ request, reply, opened });
    };

  app.get(
    offer,
    page,
    visited(async (visit) => {
      if (isByPerson(visit.request)) await offers.noteOpening(visit.opened);
      return show(visit, { status: 200 });
    }),
  );

  app.get(
    `${offer}/pdf`,
    page,
    visited(async (visit) => {
      await limits.pdfsByLink.consume(linkKey(tokenOf(visit.request)));
      const pdf = await pdfOf(visit);
      if (!pdf) return show(visit, { status: 409, hasPdf: false });
      return visit.reply
        .headers({
          'content-type': 'application/pdf',
          'content-disposition': `inline; filename="${pdf.number}.pdf"`,
          'x-robots-tag': 'noindex, nofollow',
        })
        .send(pdf.bytes);
    }),
  );

  app.post(
    `${offer}/accept`,
    page,
    visited(async (visit) => {
      const name = readName(formOf(visit.request));
      if (typeof name !== 'string') return show(visit, { status: 400, problem: name });
      return afterDecision(visit, await offers.accept(visit.opened, { name, ...originOf(visit) }));
    }),
  );

  app.post(
    `${offer}/reject`,
    page,
    visited(async (visit) => {
      const reason = readReason(formOf(visit.request));
      if (typeof reason === 'object') return show(visit, { status: 400, problem: reason });
      return afterDecision(
        visit,
        await offers.reject(visit.opened, { name: null, reason, ...originOf(visit) }),
      );
    }),
  );

  /** The PDF of an offer; undefined if it is too large. */
  async function pdfOf({ request, reply, opened }: Visit) {
    try {
      return await offers.pdf(opened, {
        language: languageFor({ request, opened }),
        asking: askingOfVisit({ request, opened }),
        timeoutSeconds: answerTimeoutSeconds,
        signal: clientSignal(reply),
      });
    } catch (error) {
      if (error instanceof ApiError && error.code === tooLargeForPdf().code) return undefined;
      throw error;
    }
  }

  /** After a form the page is requested again by a redirect, so that reloading it does not submit twice. */
  async function afterDecision(visit: Visit, isDone: boolean) {
    if (!isDone) return show(visit, { status: 409 });
    return visit.reply.redirect(`${offer}?token=${encodeURIComponent(tokenOf(visit.request))}`, 303);
  }

  async function show({ request, reply, opened }: Visit, { status, hasPdf, problem }: Shown) {
    const readLarge = readLargeInTurn(largeQuotes, { asking: askingOfVisit({ request, opened }), reply });
    const found = await offers.show(opened, readLarge);
    const parts = offerPage({
      ...found,
      token: tokenOf(request),
      language: languageFor({ request, opened }),
      hasPdf: hasPdf ?? !isSurelyTooLarge(found.quote),
      ...(problem && { problem }),
    });
    return sendPage(reply, status, Readable.from(inTurns(parts)));
  }

  function originOf({ request, reply, opened }: Visit): Omit<OfferDecision, 'name' | 'reason'> {
    return {
      ipAddress: request.ip,
      userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
      readLarge: readLargeNow(largeQuotes, { asking: askingOfVisit({ request, opened }), reply }),
    };
  }
}

/** The language of the letter that the link was in; that of the browser where none was chosen. */
const languageFor = ({ request, opened }: Pick<Visit, 'request' | 'opened'>): Language =>
  opened.language ?? languageOf(request);

/** Customers use their seller's shares, by client address. */
const askingOfVisit = ({ request, opened }: Pick<Visit, 'request' | 'opened'>): Asking => ({
  organizationId: opened.tenant.scope.organizationId,
  address: addressOf(request),
});
