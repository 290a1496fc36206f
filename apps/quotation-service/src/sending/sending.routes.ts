import { page, success } from '@tenantry/envelope';
import type { Service } from '@tenantry/service/http';
import { IfMatchHeaders, WithEntityTag, entityTag } from '@tenantry/service/resources';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { customerErased } from '../customers/customers.errors.ts';
import type { Requests } from '../database.ts';
import { emailNotVerified } from '../members/members.errors.ts';
import type { Members } from '../members/members.ts';
import { lettersWithoutFont } from '../pdf/glyphs.ts';
import type { QuoteTarget } from '../quotes/locked-quotes.ts';
import { targetOf } from '../quotes/quote-requests.http.ts';
import { quoteCannotMove, quoteChanged, quoteNotFound, quoteSuperseded } from '../quotes/quotes.errors.ts';
import { QuotePath } from '../quotes/quotes.schemas.ts';
import { validityWarnings } from '../quotes/validity.ts';
import type { CurrentSettings } from '../settings/current-settings.ts';
import { mailedTooOften, quoteNotSent, tooManyLinks } from './sending.errors.ts';
import {
  DeliveryListAnswer,
  LetterSchema,
  QuoteLinkAnswer,
  QuoteSentAnswer,
  ResentAnswer,
} from './sending.schemas.ts';
import { linksMax, mailsMax, type Sending } from './sending.ts';

export interface SendingRoutesOptions extends Requests {
  readonly sending: Sending;
  readonly currentSettings: Pick<CurrentSettings, 'readWithLogo'>;
  readonly members: Pick<Members, 'requireMaySend'>;
}

const tags = ['quotes'];
const quote = '/api/quotation/quotes/:id';

/** Routes of mails and links of quotes. */
export function sendingRoutes(
  app: Service,
  { sending, tenantOf, contextOf, once, currentSettings, members, now }: SendingRoutesOptions,
): void {
  const settingsToMail = (request: FastifyRequest) => ({
    async before() {
      const tenant = tenantOf(request);
      const settings = await currentSettings.readWithLogo(tenant);
      await members.requireMaySend(tenant, contextOf(request).actor);
      return settings;
    },
  });

  app.post(
    `${quote}/send`,
    {
      config: {
        access: 'quotes:write',
        idempotent: true,
        errors: [
          quoteNotFound(),
          quoteChanged(),
          quoteCannotMove('sent', 'sent'),
          customerErased(),
          emailNotVerified(),
          lettersWithoutFont(['ᚠ']),
        ],
      },
      schema: {
        operationId: 'sendQuote',
        tags,
        summary: 'Send a draft to its customer',
        description:
          'After that the quote cannot be changed. Where mail leaves the system, your own e-mail address must be confirmed, or for a key of a service account that of the first owner. The PDF must have a font for every character.',
        params: QuotePath,
        headers: IfMatchHeaders,
        body: LetterSchema,
        response: { 200: WithEntityTag(QuoteSentAnswer) },
      },
    },
    async (request, reply) =>
      once(
        request,
        reply,
        async (context, settings) => {
          const target = { ...targetOf(request, request.params.id), settings };
          const sent = await sending.send(context, target, letterIn(request.body));
          reply.header('etag', entityTag(sent.version));
          const warnings = validityWarnings(sent.validUntil, now());
          const answer = { status: 'sent', sentAt: sent.sentAt } as const;
          return success(answer, request.id, warnings.length > 0 ? { warnings } : {});
        },
        settingsToMail(request),
      ),
  );

  app.get(
    `${quote}/deliveries`,
    {
      config: { access: 'quotes:read', errors: [quoteNotFound()] },
      schema: {
        operationId: 'listDeliveries',
        tags,
        summary: 'List the mails of a quote',
        description: 'Newest first, always on one page.',
        params: QuotePath,
        response: { 200: DeliveryListAnswer },
      },
    },
    async (request) => {
      const deliveries = await sending.deliveries(tenantOf(request), request.params.id);
      const shown = deliveries.map(({ createdAt, nextAttemptAt, endedAt, ...delivery }) => ({
        ...delivery,
        createdAt: createdAt.toISOString(),
        nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
        endedAt: endedAt?.toISOString() ?? null,
      }));
      return page(shown, { page: 1, pageSize: 100, total: shown.length });
    },
  );

  app.post(
    `${quote}/resend`,
    {
      config: {
        access: 'quotes:write',
        idempotent: true,
        errors: [
          quoteNotFound(),
          quoteNotSent(),
          quoteSuperseded(),
          mailedTooOften(mailsMax),
          customerErased(),
          emailNotVerified(),
        ],
      },
      schema: {
        operationId: 'resendQuote',
        tags,
        summary: 'Mail a quote that was sent once more',
        description: 'To the same address or another. Links of earlier mails keep working.',
        params: QuotePath,
        body: LetterSchema,
        response: { 201: ResentAnswer },
      },
    },
    async (request, reply) =>
      once(
        request,
        reply,
        async (context) => {
          const letter = letterIn(request.body);
          reply.code(201);
          return success(await sending.resend(context, anyVersionOf(request), letter), request.id);
        },
        settingsToMail(request),
      ),
  );

  app.post(
    `${quote}/link`,
    {
      config: {
        access: 'quotes:write',
        errors: [
          quoteNotFound(),
          quoteNotSent(),
          quoteSuperseded(),
          tooManyLinks(linksMax),
          customerErased(),
        ],
      },
      schema: {
        operationId: 'createQuoteLink',
        tags,
        summary: "Make a link to the customer's page of a quote",
        description: `To send by other means. Anyone who has it can read and accept the quote. It is shown once: no Idempotency-Key, under which the answer would be kept. Earlier links keep working. A quote has at most ${linksMax} links, of which each attempt to mail it makes one.`,
        params: QuotePath,
        response: { 201: QuoteLinkAnswer },
      },
    },
    async (request, reply) => {
      reply.code(201);
      return success(await sending.link(contextOf(request), anyVersionOf(request)), request.id);
    },
  );
}

const letterIn = ({ message = '', ...letter }: Static<typeof LetterSchema>) => ({ ...letter, message });

/** The quote of a request, at any version. */
const anyVersionOf = ({ params }: { readonly params: { readonly id: string } }): QuoteTarget => ({
  id: params.id,
  accepts: () => true,
});
