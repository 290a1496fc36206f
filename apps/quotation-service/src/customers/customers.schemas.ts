import { PageOf, RequestMetaSchema, SuccessOf, SuccessWithMeta } from '@tenantry/envelope';
import {
  ClosedObject,
  EmailAddress,
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
import { languageCodes } from '../wording/languages.ts';
import { customerOrders } from './customer.ts';

/** The name of a customer. */
export const CustomerName = LineOf(200, { examples: ['Byggnads AB Åström'] });

/** A customer's e-mail address. */
export const CustomerEmail = EmailAddress({ examples: ['karin@astrom.example'] });

/** The language of a customer's letters. */
export const CustomerLanguage = Type.Enum([...languageCodes], {
  description: 'of the letters with quotes and their PDFs',
});

/** The path of a single customer. */
export const CustomerPath = ClosedObject({ customerId: Uuid() });

/** The query of the list. */
export const CustomerListQuerySchema = PageQueryOf({
  search: SearchTerm('name, e-mail, address or VAT number', 'åström'),
  sort: SortBy(customerOrders),
  language: Type.Enum([...languageCodes], {
    default: 'en',
    description: 'whose alphabet orders names: in Swedish å, ä and ö come last',
  }),
});

const given = {
  name: CustomerName,
  email: Nullable(CustomerEmail),
  address: Nullable(
    LinesOf(400, { description: 'as on an envelope', examples: ['Storgatan 5\n415 02 Göteborg'] }),
  ),
  vatNumber: Nullable(
    LineOf(30, {
      description: 'with its country code; spaces, dots and hyphens are removed',
      examples: ['SE556677889901'],
    }),
  ),
  language: Nullable(CustomerLanguage),
};

/** The body of a new customer. */
export const NewCustomerSchema = ClosedObject(
  { ...optional(given), name: given.name },
  { title: 'NewCustomer' },
);

/** The body of a change: omitted fields are unchanged. */
export const CustomerChangesSchema = ClosedObject(optional(given), {
  minProperties: 1,
  title: 'CustomerChanges',
});

/** The fields of a customer as responses show them, where none may be known. */
export const shownCustomer = {
  name: Nullable(Text('Byggnads AB Åström')),
  email: Nullable(Text('karin@astrom.example')),
  address: Nullable(Text('Storgatan 5\n415 02 Göteborg')),
  vatNumber: Nullable(Text('SE556677889901')),
};

const CustomerSchema = ClosedObject(
  {
    id: Uuid(),
    ...shownCustomer,
    name: Text('Byggnads AB Åström', { description: 'empty until it is known' }),
    language: Nullable(CustomerLanguage),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  },
  { title: 'Customer' },
);

/** The response of the list. */
export const CustomerListAnswer = PageOf(CustomerSchema);

/** The response about one customer. */
export const CustomerAnswer = SuccessOf(CustomerSchema);

const WrittenMeta = ClosedObject(
  {
    ...RequestMetaSchema.properties,
    duplicateOf: Type.Optional(
      Uuid({ description: 'the earliest other customer with the same e-mail address or VAT number' }),
    ),
  },
  { title: 'WrittenCustomerMeta' },
);

/** The response to a creation. */
export const CustomerCreatedAnswer = SuccessWithMeta(ClosedObject({ id: Uuid() }), WrittenMeta);

/** The response to a change. */
export const CustomerChangedAnswer = SuccessWithMeta(CustomerSchema, WrittenMeta);
