import { SuccessOf } from '@tenantry/envelope';
import { Nullable, Timestamp, Uuid } from '@tenantry/service-kit';
import { Type } from 'typebox';
import { WorkPackageSchema } from '../quotes/quotes.schemas.ts';

const closed = { additionalProperties: false } as const;

const Parties = {
  seller: Type.Object({ name: Type.String(), address: Type.String(), vatNumber: Type.String() }, closed),
  customer: Type.Object({ id: Uuid(), name: Type.String(), email: Nullable(Type.String()) }, closed),
};

const Acceptance = Type.Object(
  {
    acceptedAt: Timestamp(),
    userId: Nullable(Uuid({ description: 'of the seller; null where the customer accepted by the link' })),
    name: Nullable(Type.String({ description: 'as the customer signed' })),
    ipAddress: Nullable(Type.String()),
    userAgent: Nullable(Type.String()),
  },
  closed,
);

/** The answer about a contract. */
export const ContractAnswer = SuccessOf(
  Type.Object(
    {
      id: Uuid(),
      quoteId: Uuid(),
      number: Type.String({ description: "the quote's" }),
      revision: Type.Integer({ minimum: 1 }),
      ...Parties,
      title: Type.String(),
      description: Type.String(),
      workPackages: Type.Array(WorkPackageSchema),
      subtotal: Type.Number(),
      vatRate: Type.Number({ description: 'percent' }),
      vatExemptionReason: Nullable(Type.String()),
      vatAmount: Type.Number(),
      totalAmount: Type.Number(),
      currency: Type.String({ description: 'ISO 4217' }),
      acceptance: Acceptance,
      contentHash: Type.String({ description: 'SHA-256 of what was accepted, in hexadecimal digits' }),
      createdBy: Uuid(),
      createdAt: Timestamp(),
    },
    { ...closed, title: 'Contract' },
  ),
);
