import { describe, expect, it } from 'vitest';
import { WaitingOrganizations } from '../../src/events/waiting-organizations.ts';

const sick = '01990000-0000-7000-8000-000000000001';

describe('while an organization waits', () => {
  it('the reader waits for news as usual, and asks only when the organization is due', () => {
    const clock = { ms: 0 };
    const waiting = new WaitingOrganizations(() => clock.ms);
    waiting.failed(sick);
    let [reads, attempts] = [0, 1];
    while (clock.ms < 10 * 60_000) {
      reads += 1;
      const postponed = waiting.postponed();
      if (!postponed.includes(sick)) {
        attempts += 1;
        waiting.failed(sick);
        continue;
      }
      const seconds = waiting.waitSeconds(5);
      expect(seconds).toBeGreaterThanOrEqual(1);
      clock.ms += seconds * 1_000;
    }
    // Ten minutes of polls of five seconds are 120, and attempts come every 30 seconds at last.
    expect(attempts).toBeLessThan(60);
    expect(reads).toBeLessThan(120 + 2 * attempts);
  });

  it('it is tried at once when it is due, without a wait', () => {
    const clock = { ms: 0 };
    const waiting = new WaitingOrganizations(() => clock.ms);
    expect(waiting.waitSeconds(5)).toBe(5);
    waiting.failed(sick);
    clock.ms = 60_000;
    expect([waiting.postponed(), waiting.waitSeconds(5)]).toEqual([[], 0]);
  });
});
