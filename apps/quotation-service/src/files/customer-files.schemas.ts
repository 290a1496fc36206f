import { fileSchemasOf, type ImportNoun } from '@tenantry/service/files';
import * as tables from '@tenantry/tables';
import { shownCustomer } from '../customers/customers.schemas.ts';
import { customerFields } from './customer-fields.ts';

/** How customers are spoken of where files become customers. */
export const customerNoun: ImportNoun = {
  ...{ prefix: '/api/quotation/customers', tag: 'customers', read: 'quotes:read', write: 'quotes:write' },
  ...{ title: 'Customer', one: 'customer', many: 'customers', same: 'e-mail address or VAT number' },
  keeps: ', as is a customer with a quote',
};

/** How a file of customers is read, where its sender knows better, and the response about one. */
export const customerFileSchemas = fileSchemasOf(
  customerNoun,
  {
    shown: shownCustomer,
    called: {
      ...{
        name: 'the name',
        email: 'the e-mail address',
        address: 'the address, in its order on an envelope',
      },
      vatNumber: 'the VAT number',
    },
    warnings: tables.rowWarningsOf(customerFields),
  },
  tables,
);
