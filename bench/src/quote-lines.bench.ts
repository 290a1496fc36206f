/**
 * Adding a line to a quote that is new, and to one that has almost 500, in turns, through the whole service but its
 * socket:
 *
 *     npm run bench -- quote-lines [rounds]
 *
 * Goal: the last lines cost what the first do, within 1.5 times.
 */
import { randomUUID } from 'node:crypto';
import { median, report, sized, spread } from './figures.ts';
import { startBusiness } from './business.ts';

const rounds = Number(process.argv[2] ?? sized(7, 1));
const linesMax = sized(500, 20);
const counted = sized(40, 5);
const goal = 1.5;
const { caller, close } = await startBusiness('quotation-service');

async function post(url: string, body: object): Promise<string> {
  const answer = await caller.send('POST', `/api/quotation/quotes${url}`, { body });
  if (answer.status !== 201) throw new Error(answer.text);
  return (answer.body as { data: { id: string } }).data.id;
}

/** Makes a quote, and gives what adds a line to it and says how many milliseconds that took. */
async function newQuote(): Promise<() => Promise<number>> {
  const quote = await post('', { customerId: randomUUID(), title: 'Bench' });
  const workPackage = await post(`/${quote}/work-packages`, { name: 'Bench' });
  const line = {
    articleNumber: 'A-1',
    description: 'Felt, laid',
    unit: 'sqm',
    quantity: 1.5,
    unitPrice: 99.95,
  };
  return async () => {
    const before = performance.now();
    await post(`/${quote}/work-packages/${workPackage}/items`, line);
    return performance.now() - before;
  };
}

async function round(): Promise<{ first: number; last: number }> {
  const [addToLong, addToNew] = [await newQuote(), await newQuote()];
  for (let n = 0; n < linesMax - counted; n++) await addToLong();
  const times: { first: number; last: number }[] = [];
  for (let n = 0; n < counted; n++) times.push({ first: await addToNew(), last: await addToLong() });
  return { first: median(times.map(({ first }) => first)), last: median(times.map(({ last }) => last)) };
}

try {
  await round();
  const ratios: number[] = [];
  for (let n = 1; n <= rounds; n++) {
    const { first, last } = await round();
    ratios.push(last / first);
    console.log(
      `round ${n}: first lines ${first.toFixed(2)} ms, last ${last.toFixed(2)} ms, ratio ${(last / first).toFixed(2)}`,
    );
  }
  report({
    what: `last lines of a quote of ${linesMax}, to the first of one`,
    value: spread(ratios),
    goal: String(goal),
    reached: median(ratios) <= goal,
  });
} finally {
  await close();
}
process.exit();
