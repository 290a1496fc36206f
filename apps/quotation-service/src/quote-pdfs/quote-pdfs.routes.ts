import { memberOf } from '@tenantry/jwt-verify/fastify';
import { clientSignal } from '@tenantry/service/failures';
import type { Service } from '@tenantry/service/http';
import { ClosedObject } from '@tenantry/service/resources';
import { limitedBy } from '@tenantry/service/rate-limits';
import { Type } from 'typebox';
import { CustomerLanguage } from '../customers/customers.schemas.ts';
import type { Requests } from '../database.ts';
import type { QuotationLimits } from '../limits/quotation-limits.ts';
import { tooLargeForPdf } from '../pdf/pdf-size.ts';
import { answerTimeoutSeconds } from '../pdf/pdfs.ts';
import { askingOf } from '../quotes/quote-requests.http.ts';
import { quoteNotFound } from '../quotes/quotes.errors.ts';
import { QuotePath } from '../quotes/quotes.schemas.ts';
import { languageFor } from '../wording/languages.ts';
import type { QuotePdfs } from './quote-pdfs.ts';

export interface QuotePdfsRoutesOptions extends Pick<Requests, 'tenantOf'> {
  readonly quotePdfs: QuotePdfs;
  readonly limits: Pick<QuotationLimits, 'pdfs'>;
}

const PdfAnswer = {
  description: 'The quote as PDF',
  content: { 'application/pdf': { schema: Type.Unsafe<Uint8Array>({ type: 'string', format: 'binary' }) } },
};

/** The route of PDFs of quotes, for members; customers have theirs at the page of the offer. */
export function quotePdfsRoutes(app: Service, { quotePdfs, limits, tenantOf }: QuotePdfsRoutesOptions): void {
  app.get(
    '/api/quotation/quotes/:id/pdf',
    {
      config: {
        access: 'quotes:read',
        errors: [quoteNotFound(), tooLargeForPdf()],
        rateLimit: limitedBy(limits.pdfs, (request) => memberOf(request).userId, { hook: 'preHandler' }),
      },
      schema: {
        operationId: 'getQuotePdf',
        tags: ['quotes'],
        summary: 'Get a quote as PDF',
        description:
          'A draft is marked as such. language chooses between English and Swedish, or else Accept-Language does.',
        params: QuotePath,
        querystring: ClosedObject({ language: Type.Optional(CustomerLanguage) }),
        response: { 200: PdfAnswer },
      },
    },
    async (request, reply) => {
      const { filename, bytes } = await quotePdfs.show(tenantOf(request), request.params.id, {
        language: request.query.language ?? languageFor(request.headers['accept-language']),
        asking: askingOf(request),
        timeoutSeconds: answerTimeoutSeconds,
        signal: clientSignal(reply),
      });
      reply.header('content-type', 'application/pdf');
      reply.header('content-disposition', `inline; filename="${filename}"`);
      return reply.send(bytes);
    },
  );
}
