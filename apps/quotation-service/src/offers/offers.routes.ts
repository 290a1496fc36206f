import { Readable } from 'node:stream';
import { ApiError } from '@tenantry/envelope';
import { sharerOf } from '@tenantry/fair-shares';
import { clientSignal, refusalIn, type Service } from '@tenantry/service-kit';
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { addressOf, linkKey, type QuotationLimits } from '../limits/quotation-limits.ts';
import { isSurelyTooLarge, tooLargeForPdf } from '../pdf/pdf-size.ts';
import { answerTimeoutSeconds, type Pdfs } from '../pdf/pdfs.ts';
import { languageFor, type Language } from '../wording/languages.ts';
import { readForm, readName, readReason, type PostedForm } from './answers.ts';
import type { Offer, OfferAnswer, Offers } from './offers.ts';
import type { Problem } from './pages/answer-forms.ts';
import { inTurns } from './pages/in-turns.ts';
import { unavailablePage, unknownLinkPage } from './pages/notice-page.ts';
import { offerPage } from './pages/offer-page.ts';
import { pageHeaders } from './pages/page.ts';

/** What the routes need. */
export interface OffersRoutesOptions {
  readonly offers: Offers;
  readonly pdfs: Pick<Pdfs, 'make'>;
  readonly limits: Pick<QuotationLimits, 'offers' | 'offersByLink' | 'pdfsByLink'>;
}

const offer = '/api/quotation/offer';
// For people: no operation of the API, and in no document of it.
const hidden: FastifySchema & { readonly hide: true } = { hide: true };
const page = { config: { access: 'public' }, schema: hidden } as const;

/**
 * The customer's page: HTML that needs no script and no cookie. The token is in the query or in the form, never in the
 * path, which is logged. What a form does is done for the token in it, which no foreign page knows.
 */
export function offersRoutes(app: Service, { offers, pdfs, limits }: OffersRoutesOptions): void {
  acceptFormsOnly(app);
  app.setErrorHandler((error, request, reply) => sendFailurePage(error, request, reply));

  app.addHook('preHandler', async (request) => {
    await limits.offers.consume(addressOf(request));
    await limits.offersByLink.consume(linkKey(tokenIn(request) || at(formOf(request)).token));
  });

  app.get(offer, page, (request, reply) => show(request, reply, { token: tokenIn(request), status: 200 }));

  app.get(`${offer}/pdf`, page, async (request, reply) => {
    const found = await offers.find(tokenIn(request));
    const language = languageOf(request);
    if (!found) return send(reply, 404, unknownLinkPage(language));
    await limits.pdfsByLink.consume(linkKey(tokenIn(request)));
    const bytes = await pdfOf(found, request, reply);
    if (!bytes) return show(request, reply, { token: tokenIn(request), status: 409, hasPdf: false });
    return reply
      .headers({
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="${found.quote.number}.pdf"`,
        'x-robots-tag': 'noindex, nofollow',
      })
      .send(bytes);
  });

  app.post(`${offer}/accept`, page, async (request, reply) => {
    const form = formOf(request);
    const name = readName(form);
    if (typeof name !== 'string') return show(request, reply, { ...at(form), status: 400, problem: name });
    const accepted = await offers.accept(at(form).token, { name, ...originOf(request) });
    return afterAnswer(request, reply, { form, done: accepted });
  });

  app.post(`${offer}/reject`, page, async (request, reply) => {
    const form = formOf(request);
    const reason = readReason(form);
    if (typeof reason === 'object')
      return show(request, reply, { ...at(form), status: 400, problem: reason });
    const rejected = await offers.reject(at(form).token, { name: null, reason, ...originOf(request) });
    return afterAnswer(request, reply, { form, done: rejected });
  });

  /** The PDF of an offer; none of one that is too large for it. */
  async function pdfOf({ quote, logo, organizationId }: Offer, request: FastifyRequest, reply: FastifyReply) {
    const asked = {
      sharer: sharerOf({ organizationId, address: addressOf(request) }),
      timeoutSeconds: answerTimeoutSeconds,
      signal: clientSignal(reply),
    };
    try {
      return await pdfs.make({ quote, language: languageOf(request), logo: logo?.content }, asked);
    } catch (error) {
      if (error instanceof ApiError && error.code === tooLargeForPdf().code) return undefined;
      throw error;
    }
  }

  /** A page that was reached by a form is asked for again, so that loading it twice answers nothing twice. */
  async function afterAnswer(
    request: FastifyRequest,
    reply: FastifyReply,
    { form, done }: { readonly form: PostedForm; readonly done: boolean | undefined },
  ) {
    if (done !== true) return show(request, reply, { ...at(form), status: 409 });
    return reply.redirect(`${offer}?token=${encodeURIComponent(at(form).token)}`, 303);
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    { token, status, hasPdf, problem }: Shown,
  ) {
    const language = languageOf(request);
    const found = await offers.find(token);
    if (!found) return send(reply, 404, unknownLinkPage(language));
    const parts = offerPage({
      ...found,
      ...{ token, language },
      hasPdf: hasPdf ?? !isSurelyTooLarge(found.quote),
      ...(problem && { problem }),
    });
    return send(reply, status, Readable.from(inTurns(parts)));
  }
}

interface Shown {
  readonly token: string;
  readonly status: number;
  /** Whether the quote can be made into a PDF, where that is known. */
  readonly hasPdf?: boolean;
  readonly problem?: Problem;
}

const send = (reply: FastifyReply, status: number, html: string | Readable) =>
  reply.code(status).headers(pageHeaders).send(html);

const languageOf = ({ headers }: FastifyRequest): Language => languageFor(headers['accept-language']);
const formOf = ({ body }: FastifyRequest): PostedForm => (body as PostedForm | undefined) ?? {};
const at = ({ token = '' }: PostedForm) => ({ token });

function tokenIn({ query }: FastifyRequest): string {
  const { token } = query as Readonly<Record<string, unknown>>;
  return typeof token === 'string' ? token : '';
}

function originOf({ ip, headers }: FastifyRequest): Omit<OfferAnswer, 'name' | 'reason'> {
  return { ipAddress: ip, userAgent: headers['user-agent']?.slice(0, 500) ?? null };
}

/** What the page posts, and nothing else: another type of body is 415. */
function acceptFormsOnly(app: Service): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    (_request, body, done) => done(null, readForm(body)),
  );
  app.addContentTypeParser('*', (_request, _body, done) => done(notAForm));
}

const notAForm = new ApiError(
  'UNSUPPORTED_MEDIA_TYPE',
  'Send the form as application/x-www-form-urlencoded.',
);

/** A person reads the answer: a page, whatever went wrong. A program that sends no form gets what programs get. */
function sendFailurePage(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { statusCode, headers = {} } = refusalIn(error, request);
  if (statusCode === notAForm.statusCode) throw error;
  const language = languageOf(request);
  if (statusCode === 429) return send(reply.headers(headers), 429, unavailablePage(language));
  if (statusCode < 500) return send(reply, statusCode, unknownLinkPage(language));
  if (!(error instanceof ApiError)) request.log.error({ err: error }, 'a page could not be shown');
  return send(reply.header('retry-after', '5'), 503, unavailablePage(language));
}
