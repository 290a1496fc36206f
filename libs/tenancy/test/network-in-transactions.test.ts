import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { refuseInTransaction } from '@tenantry/tenancy/network';
import {
  statement,
  type BindingMode,
  type TenantDatabase,
  type TenantScope,
  type TenantTransaction,
} from '@tenantry/tenancy';
import { createFixture, type Fixture } from './fixture/database.ts';

const addNote = statement<never, [text: string]>({
  name: 'guard-add-note',
  text: 'INSERT INTO notes (organization_id, text) VALUES ($1, $2)',
});
const allNotes = statement<{ text: string }>({
  name: 'guard-all-notes',
  text: 'SELECT text FROM notes WHERE organization_id = $1 ORDER BY text',
});
const refused = { code: 'NETWORK_IN_TRANSACTION' };

/** Asks another service, as callService does. */
const askPeer = async () => {
  refuseInTransaction('find lead');
  return 'a lead';
};
/** Asks it, and takes every error for a service that is away. */
const askPeerIfThere = () => askPeer().catch(() => undefined);

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture.drop());

describe.each<BindingMode>(['connection', 'transaction'])('another service, bound by %s,', (binding) => {
  let database: TenantDatabase;
  let tenant: TenantScope;
  beforeAll(() => {
    database = fixture.open({ binding, poolSize: 2 });
  });
  beforeEach(() => {
    tenant = database.within({ organizationId: randomUUID() });
  });

  it('is asked outside of transactions, before one and after one', async () => {
    expect(await askPeer()).toBe('a lead');
    const later = await tenant.transaction(async (tx) => {
      await tx.query(addNote, ['kept']);
      return () => askPeer();
    });
    expect(await later()).toBe('a lead');
    expect(await tenant.query(allNotes, [])).toEqual([{ text: 'kept' }]);
  });

  it('allows calls that a transaction has started and not awaited, once it has ended', async () => {
    let goOn = () => {};
    let outlives: Promise<string> | undefined;
    await tenant.transaction(async (tx) => {
      outlives = new Promise<void>((resolve) => (goOn = resolve)).then(askPeer);
      await tx.query(addNote, ['kept']);
    });
    goOn();
    expect(await outlives).toBe('a lead');
  });

  type Work = (tx: TenantTransaction) => Promise<unknown>;
  it.each<[string, Work]>([
    ['itself', () => askPeer()],
    ['at its end', async (tx) => tx.query(addNote, ['more']).then(askPeerIfThere)],
    ['before its first query', askPeerIfThere],
    ['in another scope', (tx) => tx.within({ organizationId: randomUUID() }, askPeerIfThere)],
    ['on another pool', () => fixture.open().pool.within({ userId: randomUUID() }, askPeerIfThere)],
    ['in a part of it', (tx) => tx.asScope().transaction(askPeerIfThere)],
    ['beside its queries', (tx) => Promise.all([tx.query(allNotes, []), askPeerIfThere()])],
  ])('is not asked in a transaction (%s), which then keeps nothing [S-109]', async (_, work) => {
    const asking = tenant.transaction(async (tx) => {
      await tx.query(addNote, ['lost']);
      await work(tx);
    });
    await expect(asking).rejects.toMatchObject(refused);
    expect(await tenant.query(allNotes, [])).toEqual([]);
    await tenant.transaction((tx) => tx.query(addNote, ['kept']));
    expect(await tenant.query(allNotes, [])).toEqual([{ text: 'kept' }]);
  });

  it('that was asked in a transaction all the same lets nothing more run in it', async () => {
    const asking = tenant.transaction(async (tx) => {
      await askPeerIfThere();
      const failure: unknown = await tx.query(addNote, ['lost']).catch((error: unknown) => error);
      expect(failure).toMatchObject(refused);
    });
    await expect(asking).rejects.toMatchObject(refused);
  });
});
