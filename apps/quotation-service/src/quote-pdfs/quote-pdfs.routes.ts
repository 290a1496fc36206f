import { memberOf } from '@tenantry/jwt-verify/fastify';
import type { Service } from '@tenantry/service/http';
import { limitedBy } from '@tenantry/service/rate-limits';
import type { Requests } from '../database.ts';
import type { QuotationLimits } from '../limits/quotation-limits.ts';
import { pdfAnswer, pdfAskedBy, PdfQuery, sendPdf } from '../pdf/pdf-requests.http.ts';
import { tooLargeForPdf } from '../pdf/pdf-size.ts';
import { quoteNotFound } from '../quotes/quotes.errors.ts';
import { QuotePath } from '../quotes/quotes.schemas.ts';
import type { QuotePdfs } from './quote-pdfs.ts';

export interface QuotePdfsRoutesOptions extends Pick<Requests, 'tenantOf'> {
  readonly quotePdfs: QuotePdfs;
  readonly limits: Pick<QuotationLimits, 'pdfs'>;
}

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
        querystring: PdfQuery,
        response: { 200: pdfAnswer('The quote as PDF') },
      },
    },
    async (request, reply) => {
      const asked = pdfAskedBy(request, { language: request.query.language, reply });
      const { filename, bytes } = await quotePdfs.show(tenantOf(request), request.params.id, asked);
      return sendPdf(reply, filename).send(bytes);
    },
  );
}
