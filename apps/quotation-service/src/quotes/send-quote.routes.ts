import { success } from '@tenantry/envelope';
import { memberOf } from '@tenantry/jwt-verify/fastify';
import type { Service } from '@tenantry/service-kit';
import { IfMatchHeaders, WithEntityTag, entityTag } from '@tenantry/service-kit/resources';
import { customerErased } from '../customers/customers.errors.ts';
import type { ContextOf, IsAnswered, TenantOf } from '../database.ts';
import { emailNotVerified } from '../members/copies.errors.ts';
import type { Copies } from '../members/copies.ts';
import { lettersWithoutFont } from '../pdf/glyphs.ts';
import { targetOf } from './quote-requests.http.ts';
import { quoteCannotMove, quoteChanged, quoteNotFound } from './quotes.errors.ts';
import { QuotePath } from './quotes.schemas.ts';
import { validityWarnings } from './validity.ts';
import { LetterSchema, QuoteSentAnswer } from './send-quote.schemas.ts';
import type { SendQuote } from './send-quote.ts';

export interface SendQuoteRoutesOptions {
  readonly sendQuote: SendQuote;
  readonly copies: Copies;
  readonly isAnswered: IsAnswered;
  readonly tenantOf: TenantOf;
  readonly contextOf: ContextOf;
  readonly now: () => Date;
}

const tags = ['quotes'];
const quote = '/api/quotation/quotes/:id';

/** The route to send a quote to its customer. */
export function sendQuoteRoutes(
  app: Service,
  { sendQuote, copies, isAnswered, tenantOf, contextOf, now }: SendQuoteRoutesOptions,
): void {
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
          'After that the quote cannot be changed. Your own e-mail address must be confirmed, and the PDF must have a font for every character.',
        params: QuotePath,
        headers: IfMatchHeaders,
        body: LetterSchema,
        response: { 200: WithEntityTag(QuoteSentAnswer) },
      },
      async preHandler(request) {
        if (await isAnswered(request)) return;
        await copies.arriveToMail(tenantOf(request), memberOf(request).userId);
      },
    },
    async (request, reply) => {
      const { recipientEmail, message = '', language } = request.body;
      const target = targetOf(request, request.params.id);
      const letter = { recipientEmail, message, language };
      const sent = await sendQuote.send(contextOf(request), target, letter);
      reply.header('etag', entityTag(sent.version));
      const warnings = validityWarnings(sent.validUntil, now());
      const { sentAt } = sent;
      return success(
        { status: 'sent' as const, sentAt },
        request.id,
        warnings.length > 0 ? { warnings } : {},
      );
    },
  );
}
