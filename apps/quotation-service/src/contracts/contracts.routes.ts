import { success } from '@tenantry/envelope';
import { memberOf } from '@tenantry/jwt-verify/fastify';
import type { Service } from '@tenantry/service/http';
import { limitedBy } from '@tenantry/service/rate-limits';
import { IfMatchHeaders } from '@tenantry/service/resources';
import { customerErased } from '../customers/customers.errors.ts';
import type { Requests } from '../database.ts';
import type { QuotationLimits } from '../limits/quotation-limits.ts';
import { pdfAnswer, pdfAskedBy, PdfQuery, sendPdf } from '../pdf/pdf-requests.http.ts';
import { tooLargeForPdf } from '../pdf/pdf-size.ts';
import type { LargeQuotes } from '../quotes/large-quotes.ts';
import {
  askingOf,
  readLargeInTurn,
  readLargeNow,
  targetOf,
  wholeAnswer,
} from '../quotes/quote-requests.http.ts';
import { quoteChanged, quoteNotFound, quoteTooLarge } from '../quotes/quotes.errors.ts';
import { QuotePath } from '../quotes/quotes.schemas.ts';
import type { ContractPdfs } from './contract-pdfs.ts';
import { contractNotFound, quoteNotAccepted } from './contracts.errors.ts';
import { ContractAnswer } from './contracts.schemas.ts';
import type { Contract, Contracts } from './contracts.ts';

export interface ContractsRoutesOptions extends Requests {
  readonly contracts: Contracts;
  readonly contractPdfs: Pick<ContractPdfs, 'show'>;
  readonly largeQuotes: LargeQuotes;
  readonly limits: Pick<QuotationLimits, 'pdfs'>;
}

const tags = ['contracts'];
const path = '/api/quotation/quotes/:id/contract';

/** Contracts of accepted quotes. */
export function contractsRoutes(
  app: Service,
  { contracts, contractPdfs, largeQuotes, limits, tenantOf, contextOf }: ContractsRoutesOptions,
): void {
  app.post(
    path,
    {
      config: {
        access: 'quotes:write',
        errors: [quoteNotFound(), quoteChanged(), quoteNotAccepted(), customerErased(), quoteTooLarge()],
      },
      schema: {
        operationId: 'createContract',
        tags,
        summary: 'Create the contract of an accepted quote',
        description: 'A quote has one contract: 201 if it was created, 200 if it exists.',
        params: QuotePath,
        headers: IfMatchHeaders,
        response: { 200: ContractAnswer, 201: ContractAnswer },
      },
    },
    async (request, reply) => {
      const target = targetOf(request, request.params.id);
      const readLarge = readLargeNow(largeQuotes, { asking: askingOf(request), reply });
      const { contract, isNew } = await contracts.conclude(contextOf(request), target, readLarge);
      reply.code(isNew ? 201 : 200);
      return wholeAnswer(reply, success(shown(contract), request.id));
    },
  );

  app.get(
    path,
    {
      config: { access: 'quotes:read', errors: [contractNotFound(), quoteTooLarge()] },
      schema: {
        operationId: 'getContract',
        tags,
        summary: 'Get the contract of a quote',
        params: QuotePath,
        response: { 200: ContractAnswer },
      },
    },
    async (request, reply) => {
      const readLarge = readLargeInTurn(largeQuotes, { asking: askingOf(request), reply });
      const contract = await contracts.get(tenantOf(request), request.params.id, readLarge);
      return wholeAnswer(reply, success(shown(contract), request.id));
    },
  );

  app.get(
    `${path}/pdf`,
    {
      config: {
        access: 'quotes:read',
        errors: [contractNotFound(), tooLargeForPdf()],
        rateLimit: limitedBy(limits.pdfs, (request) => memberOf(request).userId, { hook: 'preHandler' }),
      },
      schema: {
        operationId: 'getContractPdf',
        tags,
        summary: 'Get the contract of a quote as PDF',
        description:
          'What was accepted, who accepted it and when, and lines for both parties to sign on. language chooses between English and Swedish, or else Accept-Language does.',
        params: QuotePath,
        querystring: PdfQuery,
        response: { 200: pdfAnswer('The contract as PDF') },
      },
    },
    async (request, reply) => {
      const asked = pdfAskedBy(request, { language: request.query.language, reply });
      const { filename, bytes } = await contractPdfs.show(tenantOf(request), request.params.id, asked);
      return sendPdf(reply, filename).send(bytes);
    },
  );
}

function shown({ id, document, acceptance, contentHash, createdBy, createdAt }: Contract) {
  const { decidedAt, userId, name, ipAddress, userAgent } = acceptance;
  return {
    ...document,
    workPackages: [...document.workPackages],
    id,
    acceptance: { acceptedAt: decidedAt.toISOString(), userId, name, ipAddress, userAgent },
    contentHash: contentHash.toString('hex'),
    createdBy,
    createdAt,
  };
}
