import { describe, expect, test, vi } from 'vitest';
import { agoFormat } from '../../src/design/ago.ts';
import { defineWords, formatsOf, languageFor } from '../../src/design/language.ts';

describe('the language of a reader', () => {
  test.each([
    [['sv'], 'sv'],
    [['sv-FI', 'en'], 'sv'],
    [[null, 'SV-se'], 'sv'],
    [['en', 'sv'], 'en'],
    [['de-DE', 'fr'], 'en'],
    [['de', 'sv'], 'sv'],
    [[], 'en'],
  ])('who prefers %j reads %s', (preferred, language) => {
    expect(languageFor(preferred)).toBe(language);
  });

  test('writes dates and times as it does, in the time zone of the reader', () => {
    const instant = '2027-01-31T23:30:00Z';
    expect(formatsOf('en', 'UTC').day(instant)).toBe('31 January 2027');
    expect(formatsOf('sv', 'Europe/Stockholm').day(instant)).toBe('1 februari 2027');
    expect(formatsOf('sv', 'Europe/Stockholm').moment(instant)).toBe('1 feb. 2027 00:30');
    expect(agoFormat('en')(instant, Date.parse('2027-02-01T02:31:00Z'))).toBe('3 hours ago');
    expect(agoFormat('sv')(instant, Date.parse(instant))).toBe('denna minut');
  });
});

describe('words', () => {
  test('are loaded in one language, once', async () => {
    const loads: string[] = [];
    const words = defineWords<string>({
      en: async () => ({ words: (loads.push('en'), 'hello') }),
      sv: async () => ({ words: (loads.push('sv'), 'hej') }),
    });
    expect([await words.load('sv'), await words.load('sv')]).toEqual(['hej', 'hej']);
    expect(loads).toEqual(['sv']);
  });

  test('that could not be loaded are asked for again', async () => {
    let isDown = true;
    const words = defineWords<string>({
      en: async () => {
        if (isDown) throw new Error('no connection');
        return { words: 'hello' };
      },
      sv: async () => ({ words: 'hej' }),
    });
    vi.useFakeTimers();
    const failed = expect(words.load('en')).rejects.toThrow('no connection');
    await vi.runAllTimersAsync();
    await failed;
    vi.useRealTimers();
    isDown = false;
    expect(await words.load('en')).toBe('hello');
  });
});
