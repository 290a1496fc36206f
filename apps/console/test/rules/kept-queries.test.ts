import { QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createQueries } from '../../src/create-queries.ts';
import { keepLatest, keptMax } from '../../src/kept-queries.ts';

const hourMs = 3_600_000;

function setUp() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const queries = createQueries();
  onTestFinished(keepLatest(queries.getQueryCache()));
  /** Shows what it reads, until it is called off. */
  const show = async (name: string) => {
    const observer = new QueryObserver(queries, { queryKey: [name], queryFn: () => name });
    const stop = observer.subscribe(() => undefined);
    await vi.advanceTimersByTimeAsync(1);
    return stop;
  };
  const isKept = (name: string) => queries.getQueryData([name]) === name;
  return { show, isKept, queries };
}

test('what was seen is still there hours later', async () => {
  const { show, isKept } = setUp();
  (await show('a quote'))();
  await vi.advanceTimersByTimeAsync(3 * hourMs);
  expect(isKept('a quote')).toBe(true);
});

test('of much, what is shown is kept, and of the rest what was seen last', async () => {
  const { show, isKept, queries } = setUp();
  await show('shown all the time');
  (await show('first'))();
  (await show('second'))();
  for (let n = 0; n < keptMax - 2; n += 1) (await show(`page ${n}`))();
  (await show('first'))();
  (await show('one more'))();
  await vi.advanceTimersByTimeAsync(1);
  expect(isKept('shown all the time')).toBe(true);
  expect(isKept('first')).toBe(true);
  expect(isKept('second')).toBe(false);
  expect(queries.getQueryCache().getAll()).toHaveLength(keptMax + 1);
});
