import type { api } from '@tenantry/client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnUse, withUse } from '../../src/imports/choices.ts';
import { ImportRun } from '../../src/imports/import-run.ts';

describe('columns of a file', () => {
  const mapping = { name: '2+3,7', email: '4,9', phone: '', source: '', notes: '12' };

  test('are what the mapping says', () => {
    expect([1, 2, 3, 4, 7, 9, 12].map((column) => columnUse(mapping, column))).toEqual([
      ...['', 'name', 'name', 'email', 'otherName', 'email', 'notes'],
    ]);
  });

  test('become something else, behind those that were it before', () => {
    expect(withUse(mapping, 3, '')).toEqual({ ...mapping, name: '2,7' });
    expect(withUse(mapping, 9, 'name')).toEqual({ ...mapping, name: '2+3+9,7', email: '4' });
    expect(withUse(mapping, 1, 'otherName').name).toBe('2+3,7,1');
    expect(withUse(mapping, 1, 'phone').phone).toBe('1');
    expect(withUse(withUse(mapping, 2, ''), 3, 'email')).toEqual({ ...mapping, name: '7', email: '4,9,3' });
    expect(withUse({ ...mapping, name: '' }, 5, 'name').name).toBe('5');
  });
});

/** A service that keeps what it did, and may lose answers, before or after its work. */
function fakeService(failures: readonly ('before' | 'after')[]) {
  const left = [...failures];
  let report: api.LeadImportReport | undefined;
  let done = 0;
  const send = async (): Promise<api.LeadImportReport> => {
    const failure = left.shift();
    if (failure === 'before') throw new Error('cut');
    if (!report) done += 1;
    report ??= { rows: 3, imported: 2, rejected: 1, errors: [] };
    if (failure === 'after') throw new Error('cut');
    return report;
  };
  return { send, done: () => done };
}

describe('an import', () => {
  const dependencies = { retryAfter: () => 0, pause: async () => undefined };

  test('that is cut off, however often, is done once', async () => {
    const failure = fc.constantFrom('before' as const, 'after' as const);
    await fc.assert(
      fc.asyncProperty(fc.array(failure, { maxLength: 6 }), async (failures) => {
        const { send, done } = fakeService(failures);
        const run = new ImportRun({ ...dependencies, send });
        await run.start();
        expect([run.getState(), done()]).toMatchObject([{ status: 'done', report: { imported: 2 } }, 1]);
      }),
    );
  });

  test('that is stopped ends its request, and may be begun again', async () => {
    let isFirst = true;
    const run: ImportRun = new ImportRun({
      ...dependencies,
      async send(signal) {
        if (!isFirst) return fakeService([]).send();
        isFirst = false;
        run.stop();
        signal.throwIfAborted();
        throw new Error('went on');
      },
    });
    await run.start();
    expect(run.getState()).toMatchObject({ status: 'stopped', report: undefined });
    await run.start();
    expect(run.getState()).toMatchObject({ status: 'done' });
  });

  test('that is refused says why', async () => {
    const error = new Error('no');
    const send = async () => Promise.reject(error);
    const run = new ImportRun({ ...dependencies, retryAfter: () => undefined, send });
    await run.start();
    expect(run.getState()).toMatchObject({ status: 'failed', error });
  });
});
