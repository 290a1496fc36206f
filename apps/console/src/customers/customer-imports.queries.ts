import { useWords } from '../design/language.ts';
import type { ImportThing } from '../imports/thing.queries.ts';
import { customerWords } from './customers.words.ts';

/** Customers, as files become them. */
export const importedCustomers: ImportThing = {
  key: 'customers',
  page: '/customers',
  item: '/customers/$id',
  url: '/api/quotation/customers',
  fields: ['name', 'email', 'address', 'vatNumber'],
  required: ['name'],
  useLabels: () => useWords(customerWords).details,
  async read(tenantry, sent) {
    const { sample, ...found } = (await tenantry.readCustomerFile(sent)).data;
    return { ...found, sample: sample.map(({ customer: item, ...row }) => ({ ...row, item })) };
  },
  import: async (tenantry, sent) => (await tenantry.importCustomers(sent)).data,
  list: async (tenantry, signal) =>
    (await tenantry.listCustomerImports({ query: { page: 1, pageSize: 20 }, signal })).data.rows,
  async undo(tenantry, id) {
    const { keptCustomers: named, ...counts } = (await tenantry.undoCustomerImport({ path: { id } })).data;
    return { ...counts, named };
  },
};
