import { PageOf, SuccessOf } from '@tenantry/envelope';
import {
  ClosedObject,
  EmailAddress,
  LineOf,
  Nullable,
  PageQueryOf,
  SearchTerm,
  SortBy,
  Text,
  Timestamp,
  Uuid,
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
  search: SearchTerm('name or e-mail', 'åström'),
  sort: SortBy(customerOrders),
});

/** The body of a change: omitted fields are unchanged. */
export const CustomerChangesSchema = ClosedObject(
  {
    name: Type.Optional(CustomerName),
    email: Type.Optional(Nullable(CustomerEmail)),
    language: Type.Optional(Nullable(CustomerLanguage)),
  },
  { minProperties: 1, title: 'CustomerChanges' },
);

const CustomerSchema = ClosedObject(
  {
    id: Uuid(),
    name: Text('Byggnads AB Åström', { description: 'empty until it is known' }),
    email: Nullable(Text('karin@astrom.example')),
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
