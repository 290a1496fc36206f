import { describe, expect, it } from 'vitest';
import { Outage } from '../../src/events/outage.ts';

const clocked = () => {
  const clock = { ms: 0 };
  return { clock, outage: new Outage(() => clock.ms) };
};
const fail = (outage: Outage, times: number) => Array.from({ length: times }, () => outage.failed());

describe('failures in a row', () => {
  it('are quiet for the first 30 seconds, while services come up, and are announced after them', () => {
    const { clock, outage } = clocked();
    clock.ms = 29_999;
    expect(fail(outage, 100)).not.toContain(true);
    clock.ms = 30_000;
    expect(fail(outage, 3)).toEqual([true, false, false]);
  });

  it('are announced at the fifth once there was a success, and again in the next outage', () => {
    const { outage } = clocked();
    expect(outage.succeeded()).toBe(false);
    expect(fail(outage, 6)).toEqual([false, false, false, false, true, false]);
    expect(outage.succeeded()).toBe(true);
    expect(outage.failures).toBe(0);
    expect(fail(outage, 5)).toEqual([false, false, false, false, true]);
  });

  it('end quietly where they were quiet', () => {
    const { outage } = clocked();
    fail(outage, 10);
    expect(outage.succeeded()).toBe(false);
  });
});
