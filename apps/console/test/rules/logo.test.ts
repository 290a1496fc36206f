import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fittingSize, isReadyToSend, logoBytesMax } from '../../src/organizations/logo.ts';

const side = fc.integer({ min: 1, max: 20_000 });

describe('the size of a logo', () => {
  test('fits, keeps its proportions to a pixel, and never grows', () => {
    fc.assert(
      fc.property(side, side, fc.integer({ min: 1, max: 2_000 }), (width, height, sideMax) => {
        const fitting = fittingSize({ width, height }, sideMax);
        expect(Math.max(fitting.width, fitting.height)).toBeLessThanOrEqual(sideMax);
        expect(Math.min(fitting.width, fitting.height)).toBeGreaterThanOrEqual(1);
        expect(fitting.width).toBeLessThanOrEqual(width);
        const scale = Math.max(fitting.width, fitting.height) / Math.max(width, height);
        expect(Math.abs(fitting.height - Math.max(1, height * scale))).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('a file', () => {
  const small = { width: 1_200, height: 300 };
  const file = (type: string, size = 1_000) => ({ type, size });

  test.each(['image/png', 'image/jpeg', 'image/webp'])(
    'is sent as it is where the API takes it: %s',
    (type) => {
      expect(isReadyToSend(file(type, logoBytesMax), small)).toBe(true);
    },
  );

  test.each([
    ['too many bytes', file('image/png', logoBytesMax + 1), small],
    ['too many pixels', file('image/jpeg'), { width: 10, height: 3_001 }],
    ['another format', file('image/gif'), small],
    ['an SVG', file('image/svg+xml'), small],
    ['nothing known', file(''), small],
  ])('is drawn again: %s', (_, sent, size) => {
    expect(isReadyToSend(sent, size)).toBe(false);
  });
});
