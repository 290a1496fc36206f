import { PageOf, RequestMetaSchema, SuccessOf, SuccessWithMeta } from '@tenantry/envelope';
import { limits } from '@tenantry/money';
import {
  ClosedObject,
  commaList,
  DateOrTime,
  DecimalOf,
  Figure,
  LineOf,
  LinesOf,
  Nullable,
  PageQueryOf,
  SearchTerm,
  SortBy,
  Text,
  Timestamp,
  Uuid,
  optional,
} from '@tenantry/service/resources';
import { Type } from 'typebox';
import { CustomerEmail, CustomerName } from '../customers/customers.schemas.ts';
import { quoteOrders } from './quote.ts';
import { quoteStatus } from './quote-status.ts';

/** The path of a single quote. */
export const QuotePath = ClosedObject({ id: Uuid() });

/** The statuses that a list is filtered by. */
export const listedStatuses = commaList(quoteStatus.states, { examples: ['draft,sent'] });

/** Additional fields of listed quotes. */
export const extraFields = commaList(
  ['version', 'sentAt', 'openedAt', 'decidedAt', 'updatedAt', 'revision'],
  {
    description: 'adds these fields to each quote',
    examples: ['version,sentAt'],
  },
);

/** The query of the list. */
export const QuoteListQuerySchema = PageQueryOf({
  customerId: Type.Optional(Uuid()),
  status: Type.Optional(listedStatuses.Schema),
  validUntilFrom: Type.Optional(Timestamp({ description: 'valid until then or later' })),
  validUntilTo: Type.Optional(Timestamp({ description: 'valid until before' })),
  search: SearchTerm('number, title or customer name', 'roof'),
  sort: SortBy(quoteOrders),
  include: Type.Optional(extraFields.Schema),
});

const content = {
  title: LineOf(200, { examples: ['New roof, Storgatan 5'] }),
  description: LinesOf(5000, { minLength: 0, examples: ['Tear off the old roof and lay a new one.'] }),
  validUntil: DateOrTime({
    description:
      "a moment, or a day, which stands for its end in the organization's time zone; by default the day 30 days ahead",
    examples: ['2027-01-31'],
  }),
  currency: Type.String({
    pattern: '^[A-Z]{3}$',
    messages: { pattern: 'must be a currency code of three capital letters' },
    description: "ISO 4217; the organization's by default. It cannot change once there is a line.",
    examples: ['SEK'],
  }),
  vatRate: DecimalOf(limits.vatRate.decimals, {
    minimum: 0,
    maximum: limits.vatRate.maximum,
    description: "percent; the organization's by default",
    examples: [25],
  }),
  vatExemptionReason: Nullable(
    LineOf(200, {
      description: 'why no VAT is charged; it needs a vatRate of 0',
      examples: ['Reverse charge'],
    }),
  ),
};

/** The body of a new quote. */
export const NewQuoteSchema = ClosedObject(
  {
    customerId: Uuid({ description: "chosen by you, such as a lead's; a new one creates a customer" }),
    customerName: Type.Optional(CustomerName),
    customerEmail: Type.Optional(CustomerEmail),
    ...optional(content),
    title: content.title,
  },
  {
    title: 'NewQuote',
    examples: [
      {
        customerId: '0192d3f4-6a7b-7c8d-9e0f-1a2b3c4d5e6f',
        customerName: 'Byggnads AB Åström',
        title: 'New roof, Storgatan 5',
      },
    ],
  },
);

/** The body of a change: omitted fields are unchanged. */
export const QuoteChangesSchema = ClosedObject(
  {
    customerId: Type.Optional(Uuid()),
    customerName: Type.Optional(
      Type.Unsafe<string>({ ...CustomerName, description: 'of the customer that `customerId` names' }),
    ),
    ...optional(content),
  },
  {
    minProperties: 1,
    title: 'QuoteChanges',
    examples: [{ title: 'New roof, Storgatan 5 and 7', validUntil: '2027-01-31' }],
  },
);

const listed = {
  id: Uuid(),
  number: Text('Q-2026-0001'),
  customerId: Uuid(),
  customerName: Text('Byggnads AB Åström', { description: 'empty until it is known' }),
  title: Text('New roof, Storgatan 5'),
  totalAmount: Figure(4399.85),
  currency: Text('SEK', { description: 'ISO 4217' }),
  status: quoteStatus.Schema,
  validUntil: Timestamp(),
  createdAt: Timestamp(),
};

const opened = Nullable(
  Timestamp({
    description:
      "when a person first opened the customer's page in a browser, as far as it can be told from a program",
  }),
);

/** The response of the list. */
export const QuoteListAnswer = PageOf(
  ClosedObject(
    {
      ...listed,
      version: Type.Optional(Type.Integer({ minimum: 1, description: 'for If-Match, in quotation marks' })),
      sentAt: Type.Optional(Nullable(Timestamp())),
      openedAt: Type.Optional(opened),
      decidedAt: Type.Optional(Nullable(Timestamp({ description: 'when it was accepted or rejected' }))),
      updatedAt: Type.Optional(Timestamp()),
      revision: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    { title: 'QuoteListItem' },
  ),
);

/** A line in a response. */
export const LineItemSchema = ClosedObject(
  {
    id: Uuid(),
    articleNumber: Text('R-100'),
    description: Text('Roofing felt, laid'),
    quantity: Figure(7.25),
    unit: Text('hours'),
    unitPrice: Figure(485.5),
    totalPrice: Figure(3519.88, {
      description: "quantity × unitPrice, rounded to the currency's minor unit",
    }),
  },
  { title: 'LineItem' },
);

/** A package in a response. */
export const WorkPackageSchema = ClosedObject(
  {
    id: Uuid(),
    name: Text('Roof'),
    description: Text('With gutters'),
    items: Type.Array(LineItemSchema),
    subtotal: Figure(3519.88, { description: "sum of the items' totalPrice" }),
  },
  { title: 'WorkPackage' },
);

const summary = {
  ...listed,
  revision: Type.Integer({ minimum: 1 }),
  customerEmail: Nullable(Text('karin@astrom.example')),
  customerAddress: Nullable(Text('Storgatan 5\n415 02 Göteborg')),
  customerVatNumber: Nullable(Text('SE556677889901')),
  description: Text('Tear off the old roof and lay a new one.'),
  subtotal: Figure(3519.88, { description: "sum of the work packages' subtotals" }),
  vatRate: Figure(25, { description: 'percent' }),
  vatExemptionReason: Nullable(Text('Reverse charge', { description: 'set if no VAT is charged' })),
  vatAmount: Figure(879.97, { description: 'subtotal × vatRate / 100, rounded once' }),
  sentAt: Nullable(Timestamp()),
  supersededBy: Nullable(Uuid({ description: 'the revision that replaces this one' })),
  updatedAt: Timestamp(),
  allowedTransitions: Type.Array(quoteStatus.Schema),
};

const DecisionSchema = ClosedObject(
  {
    decision: Type.Enum(['accepted', 'rejected']),
    decidedAt: Timestamp(),
    userId: Nullable(Uuid({ description: 'of the user or service account that decided for the customer' })),
    name: Nullable(Text('Karin Åström', { description: 'as the customer signed' })),
    reason: Nullable(Text('Too late for this year.', { description: 'why it was rejected, if they said' })),
  },
  { title: 'QuoteDecision' },
);

/** The response about one whole quote. */
export const QuoteAnswer = SuccessOf(
  ClosedObject(
    {
      ...summary,
      openedAt: opened,
      decision: Nullable(DecisionSchema),
      contractedAt: Nullable(Timestamp({ description: 'when its contract was made' })),
      workPackages: Type.Array(WorkPackageSchema),
    },
    { title: 'Quote' },
  ),
);

/** The response about a quote without its work packages. */
export const QuoteSummaryAnswer = SuccessOf(ClosedObject(summary, { title: 'QuoteSummary' }));

const WarningSchema = ClosedObject(
  {
    code: Type.Enum(['VALID_UNTIL_PAST']),
    message: Text('validUntil is in the past: the customer cannot accept this quote.'),
  },
  { title: 'Warning' },
);

/** `meta` of a response with warnings. */
export const WarningMeta = ClosedObject({
  ...RequestMetaSchema.properties,
  warnings: Type.Optional(Type.Array(WarningSchema)),
});

/** The response to a creation. */
export const QuoteCreatedAnswer = SuccessWithMeta(
  ClosedObject({ id: listed.id, number: listed.number }),
  WarningMeta,
);
