import { success } from '@tenantry/envelope';
import type { Service } from '@tenantry/service/http';
import { IfMatchHeaders } from '@tenantry/service/resources';
import { customerErased } from '../customers/customers.errors.ts';
import type { Requests } from '../database.ts';
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
import { contractNotFound, quoteNotAccepted } from './contracts.errors.ts';
import { ContractAnswer } from './contracts.schemas.ts';
import type { Contract, Contracts } from './contracts.ts';

export interface ContractsRoutesOptions extends Requests {
  readonly contracts: Contracts;
  readonly largeQuotes: LargeQuotes;
}

const tags = ['contracts'];
const path = '/api/quotation/quotes/:id/contract';

/** Contracts of accepted quotes. */
export function contractsRoutes(
  app: Service,
  { contracts, largeQuotes, tenantOf, contextOf }: ContractsRoutesOptions,
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
