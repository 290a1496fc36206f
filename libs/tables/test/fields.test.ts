import { expect, it } from 'vitest';
import { bytesInMemory, fieldsOf, openTable, programOf, propose, type Fields } from '../src/index.ts';

const customers = fieldsOf(['vatNumber', 'name', 'email', 'address'], {
  vatNumber: 'vatnumber vatid momsregnr momsregistreringsnummer',
});
const people = fieldsOf(['name', 'phone', 'notes'], {});

async function read<Field extends string>(fields: Fields<Field>, text: string) {
  const table = await openTable(bytesInMemory(Buffer.from(text)), {}, fields.kindOf);
  const below = table.first.filter(({ line }) => line > table.header);
  return { table, ...propose(fields, table.names, below) };
}

const file = `Kunder 2026
Förnamn;Efternamn;Adress;E-post (arbete);Momsreg.nr;Telefon;Anteckningar
Åsa;Öberg;Storgatan 1;asa@oberg.example;SE556677889901;070-123 45 67;ringer helst
`;

it('each service reads a file as its own fields, in its own order', async () => {
  const asCustomers = await read(customers, file);
  expect(asCustomers.table).toMatchObject({ separator: 'semicolon', header: 2, doubts: [] });
  expect(Object.entries(asCustomers.mapping)).toEqual([
    ['vatNumber', [[5]]],
    ['name', [[1, 2]]],
    ['email', [[4]]],
    ['address', [[3]]],
  ]);
  const asPeople = await read(people, file);
  expect(asPeople.mapping).toEqual({ name: [[1, 2]], phone: [[6]], notes: [[7]] });
});

it('a header is found by the words of the fields that a service has', async () => {
  const text = 'Summary;2026\nVAT number;Street address\nSE556677889901;Storgatan 1\n';
  expect((await read(customers, text)).table).toMatchObject({ header: 2, doubts: [] });
  expect((await read(people, text)).table.doubts).toContain('header');
});

it('only fields of the service are unsure', async () => {
  const text = 'a;b\nÅsa;1\n';
  expect((await read(customers, text)).unsure).toEqual(['name', 'email']);
  expect((await read(people, text)).unsure).toEqual(['name']);
});

it("two thirds of the columns of a service's own export make a file one", () => {
  const own = ['id', 'name', 'vatNumber', 'createdAt', 'updatedAt', 'email'];
  expect(programOf(['ID', 'Name', 'VAT number', 'Created at'], own)).toBe('own');
  expect(programOf(['ID', 'Name', 'VAT number'], own)).toBeUndefined();
  expect(programOf(['Kundnr', 'Kundnamn', 'Er referens'], own)).toBe('fortnox');
});
