import { SuccessOf } from '@tenantry/envelope';
import { ClosedObject, Figure, Nullable, Text, Timestamp, Uuid } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { WorkPackageSchema } from '../quotes/quotes.schemas.ts';

const Parties = {
  seller: ClosedObject({
    name: Text('Tak & Plåt AB'),
    address: Text('Verkstadsgatan 3\n415 02 Göteborg'),
    vatNumber: Text('SE556677889901'),
  }),
  customer: ClosedObject({
    id: Uuid(),
    name: Text('Byggnads AB Åström'),
    email: Nullable(Text('karin@astrom.example')),
    address: Type.Optional(Text('Storgatan 5\n415 02 Göteborg')),
    vatNumber: Type.Optional(Text('SE556677889901')),
  }),
};

const Acceptance = ClosedObject({
  acceptedAt: Timestamp(),
  userId: Nullable(
    Uuid({
      description: 'of the seller, a user or service account; null where the customer accepted by the link',
    }),
  ),
  name: Nullable(Text('Karin Åström', { description: 'as the customer signed' })),
  ipAddress: Nullable(Text('192.0.2.7')),
  userAgent: Nullable(Text('Mozilla/5.0')),
});

/** The response about a contract. */
export const ContractAnswer = SuccessOf(
  ClosedObject(
    {
      id: Uuid(),
      quoteId: Uuid(),
      number: Text('Q-2026-0001', { description: "the quote's" }),
      revision: Type.Integer({ minimum: 1 }),
      ...Parties,
      title: Text('New roof, Storgatan 5'),
      description: Text('Tear off the old roof and lay a new one.'),
      workPackages: Type.Array(WorkPackageSchema),
      subtotal: Figure(3519.88),
      vatRate: Figure(25, { description: 'percent' }),
      vatExemptionReason: Nullable(Text('Reverse charge', { description: 'where no VAT is charged' })),
      vatAmount: Figure(879.97),
      totalAmount: Figure(4399.85),
      currency: Text('SEK', { description: 'ISO 4217' }),
      acceptance: Acceptance,
      contentHash: Text('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', {
        description: 'SHA-256 of what was accepted, in hexadecimal digits',
      }),
      createdBy: Uuid({ description: 'the user or service account' }),
      createdAt: Timestamp(),
    },
    { title: 'Contract' },
  ),
);
