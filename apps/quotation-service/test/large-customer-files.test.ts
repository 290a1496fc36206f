import { isThorough, liveHeap, thorough } from '@tenantry/test-kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { customersUrl, refusal, startService, type Caller, type TestService } from './support/service.ts';

const rowsMax = 100_000;

let service: TestService;
let member: Caller;
beforeAll(async () => {
  const quota = { QUOTA_ROWS_UNCONFIRMED: '1000000', QUOTA_BYTES_UNCONFIRMED: '1000000000' };
  service = await startService({ env: quota });
  member = await service.member();
});
afterAll(() => service.close());

/** Outside of the heap, as a file is. */
const fileOf = (rows: number): Buffer =>
  Buffer.from(
    `Namn;E-post;E-post 2;Adress;Postnr;Ort\n${Array.from(
      { length: rows },
      (_, n) => `Kund ${n};kund${n}@example.com;faktura${n}@example.com;Storgatan ${n};903 26;Umeå\n`,
    ).join('')}`,
  );
const send = (body: Buffer) =>
  member.send('POST', `${customersUrl}/import?mode=rows&duplicates=skip`, {
    body,
    headers: { 'content-type': 'text/csv' },
  });

/** How much more is in memory while work is done. Looking takes a tenth of the time at most, so that a slow machine does the work. */
async function growthDuring<Result>(work: () => Promise<Result>): Promise<readonly [Result, number]> {
  const before = liveHeap();
  let most = before;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const since = performance.now();
    most = Math.max(most, liveHeap());
    timer = setTimeout(look, Math.max(1_000, 10 * (performance.now() - since)));
  };
  look();
  const result = await work();
  clearTimeout(timer);
  return [result, most - before];
}

it('a file of customers takes as many rows as it may, in memory for little more than what its duplicates are found by [S-147]', async () => {
  const rows = thorough(rowsMax, 5_000);
  const file = fileOf(rows);
  const [answer, growth] = await growthDuring(() => send(file));
  expect(answer.body.data).toMatchObject({ rows, imported: rows, rejected: 0, leftOut: rows });
  expect((await member.send('GET', customersUrl)).body.meta.total).toBe(rows);
  expect(growth).toBeLessThan(50_000_000);
  // Sent once more, it makes nothing.
  expect((await send(file)).body.data).toMatchObject({ imported: 0, skipped: rows });
});

it.runIf(isThorough)('a file of more than 100,000 customers is refused, and makes none', async () => {
  const other = await service.member();
  member = other;
  expect(refusal(await send(fileOf(rowsMax + 1)))).toMatchObject({ status: 413 });
  expect((await other.send('GET', customersUrl)).body.meta.total).toBe(0);
});
