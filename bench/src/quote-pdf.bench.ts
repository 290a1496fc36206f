/**
 * The PDF of a quote of 100 lines, made in this process, in alternating rounds with one of a single line:
 *
 *     npm run bench -- quote-pdf [rounds]
 */
import { percentiles, report, sized } from './figures.ts';

type Lines = readonly object[];
const source = (path: string) => new URL(`../../apps/quotation-service/${path}`, import.meta.url).href;
const { typesetQuote } = (await import(source('src/pdf/quote-pdf.ts'))) as {
  typesetQuote: (document: { quote: object; language: string }) => Promise<Uint8Array>;
};
const { linesOf, sampleQuote } = (await import(source('test/fixtures/sample-quote.ts'))) as {
  linesOf: (count: number) => Lines;
  sampleQuote: (packages: readonly { name: string; items: Lines }[]) => object;
};

const rounds = Number(process.argv[2] ?? sized(50, 2));
const quotes = [1, 100].map((lines) => ({
  lines,
  quote: sampleQuote([{ name: 'Roof', items: linesOf(lines) }]),
  times: [] as number[],
  processor: [] as number[],
  kilobytes: 0,
}));

// The first ones warm up.
for (let round = -3; round < rounds; round++) {
  for (const measured of quotes) {
    const before = performance.now();
    const cpuBefore = process.cpuUsage();
    const { length } = await typesetQuote({ quote: measured.quote, language: 'en' });
    const { user, system } = process.cpuUsage(cpuBefore);
    if (round < 0) continue;
    measured.times.push(performance.now() - before);
    measured.processor.push((user + system) / 1_000);
    measured.kilobytes = Math.round(length / 1_024);
  }
}
for (const { lines, times, processor, kilobytes } of quotes) {
  report({
    what: `PDF of a quote of ${lines} ${lines === 1 ? 'line' : 'lines'}`,
    value: `${percentiles(times)}; processor ${percentiles(processor)}; ${kilobytes} kB`,
  });
}
