import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { duringTransaction, refuseInTransaction, type GuardedTransaction } from '@tenantry/transaction-guard';

const refused = { code: 'NETWORK_IN_TRANSACTION' };

function transaction(): GuardedTransaction & { isOpen: boolean; readonly errors: Error[] } {
  const errors: Error[] = [];
  return { isOpen: true, errors, refuse: (error) => errors.push(error) };
}

describe('what waits for the network', () => {
  it('runs where no transaction is open', () => {
    expect(() => refuseInTransaction('find lead')).not.toThrow();
  });

  it('is refused while one is open, however deep it was started, and the transaction learns of it', async () => {
    const open = transaction();
    await duringTransaction(open, async () => {
      await setTimeout(1);
      await Promise.all([
        (async () => {
          await setTimeout(1);
          expect(() => refuseInTransaction('find lead')).toThrow(expect.objectContaining(refused));
        })(),
      ]);
    });
    expect(open.errors).toMatchObject([refused]);
    expect(open.errors[0]?.message).toContain('"find lead" waits for the network');
  });

  it('runs beside the transaction and in what outlives it', async () => {
    const open = transaction();
    const outlives = duringTransaction(open, () => async () => {
      await setTimeout(1);
      refuseInTransaction('find lead');
    });
    const started = duringTransaction(open, async () => outlives());
    refuseInTransaction('find lead');
    open.isOpen = false;
    await started;
    expect(open.errors).toEqual([]);
  });
});
