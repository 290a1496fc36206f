import { describe, expect, it } from 'vitest';
import { testClock } from '@tenantry/test-kit';

describe('a test clock', () => {
  it('stands still until it is told to move', () => {
    const clock = testClock('2026-01-01T00:00:00Z');
    expect(clock()).toBe(Date.UTC(2026, 0, 1));
    expect(clock()).toBe(clock());
    clock.advance({ days: 1, minutes: 2, seconds: 3, milliseconds: 4 });
    expect(new Date(clock()).toISOString()).toBe('2026-01-02T00:02:03.004Z');
    clock.set(new Date('2025-06-01T12:00:00Z'));
    expect(new Date(clock()).toISOString()).toBe('2025-06-01T12:00:00.000Z');
  });

  it('refuses what is no time', () => {
    expect(() => testClock('yesterday')).toThrow('Not a time: yesterday');
  });
});
