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
  const png = (depth: number, interlace: number) => {
    const head = new Uint8Array(32);
    head.set([0x89, 0x50, 0x4e, 0x47]);
    [head[24], head[28]] = [depth, interlace];
    return head;
  };
  const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0]);
  const small = { width: 1_200, height: 300 };

  test('is sent as it is where the API takes it', () => {
    expect(isReadyToSend(png(8, 0), small, logoBytesMax)).toBe(true);
    expect(isReadyToSend(jpeg, small, 1_000)).toBe(true);
  });

  test.each([
    ['too many bytes', png(8, 0), small, logoBytesMax + 1],
    ['too many pixels', jpeg, { width: 10, height: 1_201 }, 1_000],
    ['16 bits', png(16, 0), small, 1_000],
    ['interlaced', png(8, 1), small, 1_000],
    ['another format', new Uint8Array([0x52, 0x49, 0x46, 0x46]), small, 1_000],
    ['nothing in it', new Uint8Array(), small, 0],
  ])('is drawn again: %s', (_, head, size, bytes) => {
    expect(isReadyToSend(head, size, bytes)).toBe(false);
  });
});
