import { expect, it } from 'vitest';
import { inTurns } from '../../src/offers/pages/in-turns.ts';
import { offerPage } from '../../src/offers/pages/offer-page.ts';
import { sampleQuote } from '../fixtures/sample-quote.ts';

// As many as a quote may have, with fewer lines than the 500 that each may have.
const packages = Array.from({ length: 100 }, (_, n) => ({
  name: `Package ${n}`,
  items: Array.from({ length: 5 }, () => ({ description: 'Roofing felt, laid' })),
}));
const page = () =>
  offerPage({
    ...{
      quote: sampleQuote(packages),
      standing: { state: 'open' },
      token: 'token',
      language: 'en',
      hasPdf: true,
    },
  });

it('the page of an offer is written package by package', () => {
  const parts = [...page()];
  expect(parts.filter((part) => part.includes('<tbody>'))).toHaveLength(100);
  expect(Math.max(...parts.map((part) => part.split('Roofing felt').length - 1))).toBe(5);
  expect(parts.join('')).toMatch(
    /^<!doctype html>[^]*Package 0[^]*Package 99[^]*id="answer"[^]*<\/html>\s*$/,
  );
});

it('the page of an offer shows whom it is for: name, address and VAT number, as text', () => {
  const quote = sampleQuote();
  const customer = {
    ...quote.customer,
    address: 'Storgatan 5\n<b>415 02</b> Göteborg',
    vatNumber: 'SE556012579001',
  };
  const parts = offerPage({
    ...{
      quote: { ...quote, customer },
      standing: { state: 'open' },
      token: 'token',
      language: 'sv',
      hasPdf: true,
    },
  });
  const lines = 'Brf Näckrosen 7\nStorgatan 5\n&lt;b&gt;415 02&lt;/b&gt; Göteborg\nMomsreg.nr SE556012579001';
  expect([...parts].join('')).toContain(`<dd dir="auto">${lines}</dd>`);
});

it('the page of an offer leaves the event loop to others between two packages [S-173]', async () => {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  let parts = 0;
  for await (const part of inTurns(page())) parts += part === '' ? 0 : 1;
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(parts - 1);
});
