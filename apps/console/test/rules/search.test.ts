import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandsFor, stepIn } from '../../src/search/commands.ts';
import { actionOf, type Press } from '../../src/search/keys.ts';

const run = () => undefined;
const named = (...titles: string[]) => titles.map((title) => ({ id: title, title, run }));

describe('commands', () => {
  const all = named('Home', 'New lead', 'Leads', 'Byt till Åkeri');
  const found = (text: string) => commandsFor(text, all).map(({ title }) => title);

  test('are found by what their words begin with, case and accents aside', () => {
    expect(found('lead')).toEqual(['Leads', 'New lead']);
    expect(found('NEW l')).toEqual(['New lead']);
    expect(found('ake')).toEqual(['Byt till Åkeri']);
    expect(found('x')).toEqual([]);
    expect(found(' ')).toHaveLength(4);
  });

  test('are walked through in a circle', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.nat(49), (length, start) => {
        const from = start % length;
        expect(stepIn(length, stepIn(length, from, 1), -1)).toBe(from);
      }),
    );
    expect(stepIn(0, -1, 1)).toBe(-1);
  });
});

describe('a key', () => {
  const press = (key: string, more: Partial<Press> = {}): Press => ({
    ...{ key, isCommand: false, isAlt: false, isTyping: false, isInDialog: false },
    ...more,
  });
  const pathOf = (key: string) => (key === 'l' ? '/leads' : undefined);
  const keyboard = { isPrefixed: false, hasSingleKeys: true, pathOf };

  test('opens the palette with Ctrl, also in a field, and with single keys switched off', () => {
    const pressed = press('k', { isCommand: true, isTyping: true });
    expect(actionOf(pressed, { ...keyboard, hasSingleKeys: false })).toEqual({ kind: 'palette' });
  });

  test('goes to a page after g, and only to one that there is', () => {
    expect(actionOf(press('g'), keyboard)).toEqual({ kind: 'prefix' });
    expect(actionOf(press('l'), { ...keyboard, isPrefixed: true })).toEqual({ kind: 'go', path: '/leads' });
    expect(actionOf(press('x'), { ...keyboard, isPrefixed: true })).toEqual({ kind: 'nothing' });
    expect(actionOf(press('l'), keyboard)).toEqual({ kind: 'nothing' });
  });

  test('is text in a field, belongs to a dialog over the page, and does nothing where single keys are off', () => {
    for (const key of ['/', '?', 'g']) {
      expect(actionOf(press(key, { isTyping: true }), keyboard).kind).toBe('nothing');
      expect(actionOf(press(key, { isInDialog: true }), keyboard).kind).toBe('nothing');
      expect(actionOf(press(key), { ...keyboard, hasSingleKeys: false }).kind).toBe('nothing');
      expect(actionOf(press(key), keyboard).kind).not.toBe('nothing');
    }
  });
});
