import { expect, test, vi } from 'vitest';
import { ToastStore } from '../../src/design/toast-store.ts';

test('what was done is undone or comes to its end, never both, and waits while somebody looks', () => {
  vi.useFakeTimers();
  try {
    const told: string[] = [];
    const toasts = new ToastStore();
    const show = (text: string) =>
      toasts.show({ text, undo: () => told.push(`undo ${text}`), onEnd: () => told.push(`end ${text}`) });
    const [one, two] = [show('one'), show('two')];
    toasts.hold(two);
    vi.advanceTimersByTime(4_999);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual(['end one']);
    toasts.undo(one);
    vi.advanceTimersByTime(60_000);
    expect(told).toEqual(['end one']);
    toasts.release(two);
    toasts.undo(two);
    vi.advanceTimersByTime(60_000);
    expect(told).toEqual(['end one', 'undo two']);
    expect(toasts.getToasts()).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});
