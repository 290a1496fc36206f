import { onceAvailable } from '@tenantry/test-kit';
import { expect, it } from 'vitest';

const away = { status: 503, headers: { 'retry-after': '0' } };

it.each([
  ['is asked until it is there', [away, away, { status: 201, headers: {} }], 201],
  ['is asked once where it says no time', [{ status: 503, headers: {} }], 503],
  ['is asked once where it refuses', [{ status: 429, headers: { 'retry-after': '1' } }], 429],
])('a service %s', async (_, answers, status) => {
  const left = [...answers];
  expect(await onceAvailable(async () => left.shift()!)).toMatchObject({ status });
  expect(left).toEqual([]);
});
