import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyboard } from './console/hands.ts';
import { rowsOf } from './console/lead-files.ts';
import { ConsoleStack, hasBrowser } from './console/stack.ts';
import { expectNothingElse } from './console/visitor.ts';

// Customers that come as a file of another program, with the real services.

const fixture = new URL('../../apps/quotation-service/test/fixtures/import/fortnox.csv', import.meta.url);

interface Customer {
  readonly id: string;
  readonly name: string;
  readonly address: string | null;
}

describe.skipIf(!hasBrowser)('customers in the console', () => {
  let stack: ConsoleStack;
  beforeAll(async () => {
    stack = await ConsoleStack.start();
  });
  afterAll(() => stack.stop());

  it('come whole from a file, with what has no place in another one, and go back where no quote is for them', async () => {
    const person = await stack.api.signUp();
    const customers = async () =>
      (
        await stack.api.call<{ data: readonly Customer[] }>(
          'GET /api/quotation/customers?sort=name',
          undefined,
          person,
        )
      ).data;
    const [visitor, page] = await stack.signedIn(person, '/customers');
    await keyboard.press(page.getByRole('link', { name: 'Import' }));
    const chooser = page.waitForEvent('filechooser');
    await keyboard.press(page.getByLabel('File', { exact: true }));
    const file = { name: 'fortnox.csv', mimeType: 'text/csv', buffer: readFileSync(fixture) };
    await (await chooser).setFiles(file);
    await page.getByText('This looks like a list of customers from Fortnox.').waitFor();
    await page.getByText('3 rows can be imported as new customers.').waitFor();
    await keyboard.press(page.getByRole('button', { name: 'Import 3 rows' }));
    await page.getByText('3 rows imported.').waitFor();
    expect((await customers()).map(({ name, address }) => [name, address])).toEqual([
      ['Åkessons Åkeri AB', 'Storgatan 2\nc/o Åkesson\n903 26 Umeå\nSverige'],
      ['Brf Örnen', null],
      ['Svensson, Lars', 'Box 12\n114 55 Stockholm'],
    ]);

    const downloaded = page.waitForEvent('download');
    await keyboard.press(page.getByRole('link', { name: 'Save these rows as a file' }));
    const leftOut = await rowsOf(await downloaded);
    expect(leftOut.map(({ Line, Namn, Reason }) => [Line, Namn, Reason])).toEqual([
      ['2', 'Åkessons Åkeri AB', 'email has no room for "faktura@akesson.example" (E-post faktura)'],
      ['4', 'Brf Örnen', 'email has no room for "saknas" (E-post)'],
    ]);

    const [first] = await customers();
    const quote = { customerId: first?.id, title: 'New roof' };
    await stack.api.call('POST /api/quotation/quotes', quote, person);
    await keyboard.press(page.getByRole('button', { name: 'Take this import back' }));
    await keyboard.press(page.getByRole('button', { name: 'Take it back' }));
    await page.getByText('2 customers taken back').waitFor();
    await page.getByText('1 customer stayed, because they were changed or have a quote:').waitFor();
    expect((await customers()).map(({ name }) => name)).toEqual(['Åkessons Åkeri AB']);
    await keyboard.press(page.getByRole('link', { name: 'Show the customers' }));
    await page.getByRole('link', { name: 'Åkessons Åkeri AB' }).waitFor();
    await expectNothingElse(visitor);
  });
});
