import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadPart } from '../../src/design/load-part.ts';

describe('a part of the console', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const failing = (times: number) => {
    let left = times;
    return vi.fn(async () => {
      if (left-- > 0) throw new Error('404');
      return 'the part';
    });
  };

  test('that one of two gateways does not have is asked for until the other one answers', async () => {
    const load = failing(4);
    const loading = loadPart(load);
    await vi.runAllTimersAsync();
    expect(await loading).toBe('the part');
    expect(load).toHaveBeenCalledTimes(5);
  });

  test('that no gateway has any more is given up within two seconds', async () => {
    const load = failing(Infinity);
    const loading = expect(loadPart(load)).rejects.toThrow('404');
    await vi.advanceTimersByTimeAsync(2_000);
    await loading;
    expect(load).toHaveBeenCalledTimes(5);
  });
});
