import { apiWithQuote } from './quotes.ts';
import { checkedFile, findings, hostileName, one, pageOf, pastImport } from './leads.ts';

const found = {
  ...findings,
  program: 'fortnox',
  columns: ['Kundnr', 'Namn', 'E-post', 'Adress', 'Postnr', 'Ort', hostileName].map((name, n) => ({
    ...{ column: n + 1, name, isLabel: false },
    field: [null, 'name', 'email', 'address', 'address', 'address', null][n],
  })),
  mapping: { name: '2', email: '3', address: '4+5+6', vatNumber: '' },
  first: [{ line: 1, cells: ['Kundnr', 'Namn', 'E-post'] }],
  sample: [
    {
      ...{ line: 2, cells: ['1', 'Näs AB', 'info@nas.example', 'Storgatan 1', '903 26', 'Umeå', 'x'] },
      customer: {
        ...{ name: 'Näs AB', email: 'info@nas.example', vatNumber: null },
        address: 'Storgatan 1\n903 26 Umeå',
      },
      ...{ warnings: ['moreLeftOut'], problems: [] },
    },
    {
      ...{ line: 3, cells: ['2', hostileName, '', '', '', '', ''] },
      customer: { name: hostileName, email: null, address: null, vatNumber: null },
      ...{ warnings: ['emailLeftOut', 'vatNumberLeftOut'], problems: [] },
    },
  ],
};
const verdict = { duplicateOf: null, duplicateOfLine: null, details: [], warnings: [] };
const checked = {
  ...checkedFile,
  verdicts: [
    { ...verdict, line: 2, as: 'new', warnings: ['moreLeftOut'] },
    { ...verdict, line: 3, as: 'refused', details: [{ field: 'name', rule: 'required', message: 'x' }] },
    { ...verdict, line: 4, as: 'duplicate', duplicateOf: 'karin' },
  ],
};
const imported = { ...checkedFile, importId: 'import-1', leftOut: 3, verdicts: [] };

/** An API with a customer, in which files of customers are read and imported. */
export const apiWithCustomerFiles = () =>
  apiWithQuote()
    .on('GET /api/quotation/customers/imports', pageOf([pastImport]))
    .on('POST /api/quotation/customers/import/read', one(found))
    .on('POST /api/quotation/customers/import', ({ query }) =>
      one(query['mode'] === 'check' ? checked : imported),
    )
    .on(
      'POST /api/quotation/customers/imports/import-1/undo',
      one({ undone: 1, kept: 1, keptCustomers: [{ id: 'karin', name: hostileName }] }),
    );
