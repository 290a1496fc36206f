import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@tenantry/service/logging';
import { testLog } from '@tenantry/test-kit';
import { afterAll, describe, expect, test } from 'vitest';
import { models, type Transaction } from '../src/database.ts';
import { recordErasure, recordEvent, recordMember, recordUserUpdated } from '../src/events/index.ts';
import { claimsOf, signUp, type SignedUp } from './support/client.ts';
import { enter, found, foundCompany } from './support/organizations.ts';
import { openDatabase, startService } from './support/service.ts';

const service = await startService();
const { app, config, sql } = service;
const database = openDatabase(config, createLogger({ name: 'test', level: 'trace', destination: testLog() }));
afterAll(() => database.close());

const personalOf = ({ token }: SignedUp) => claimsOf(token)['organizationId'] as string;

/** Somebody who belongs to two organizations and a personal one. */
async function memberOfThree() {
  const [first, second] = [await foundCompany(service), await foundCompany(service)];
  const { member } = first;
  await enter(service, second.id, member, 'member');
  return { member, organizationIds: [first.id, second.id, personalOf(member)] };
}

const lastAbout = (userId: string) =>
  sql(
    `SELECT DISTINCT ON (subject) type, organization, payload FROM events WHERE user_id = $1 ORDER BY subject, id DESC`,
    [userId],
  );
const rename = (tx: Transaction, id: string, name: string) =>
  models(tx).user.updateMany({ where: { id }, data: { name } });

/** Opens a gate from outside of the transaction that waits for it. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

describe('an event', () => {
  test('of a user is published once per membership, with the full state within that organization', async () => {
    const { member, organizationIds } = await memberOfThree();
    await database.within({ userId: member.id }).transaction(async (tx) => {
      await rename(tx, member.id, 'Mia Young');
      await recordUserUpdated(tx);
    });
    const told = await lastAbout(member.id);
    expect(told.map(({ organization }) => organization).toSorted()).toEqual(organizationIds.toSorted());
    for (const { type, organization, payload } of told) {
      const role = organization === personalOf(member) ? 'owner' : 'member';
      const state = { email: member.email, name: 'Mia Young', familyName: null, role };
      expect(type).toBe('user.updated');
      expect(payload).toMatchObject({ organizationId: organization, userId: member.id, ...state });
    }
  });

  test('of an erasure reaches every organization, also one that was left a moment before', async () => {
    const { member, organizationIds } = await memberOfThree();
    const [left, kept] = organizationIds as [string, string];
    await database.within({ organizationId: left, userId: member.id }).transaction(async (tx) => {
      await recordEvent(tx, { type: 'member.removed', organizationId: left, userId: member.id });
    });
    await database.within({ userId: member.id }).transaction((tx) => recordErasure(tx, member.id, [kept]));
    const told = await sql('SELECT type, organization FROM events WHERE user_id = $1 ORDER BY id', [
      member.id,
    ]);
    expect(told).toEqual([
      { type: 'member.removed', organization: left },
      { type: 'user.erased', organization: kept },
    ]);
  });

  test('of the later of two concurrent changes includes the earlier one', async () => {
    const { id: organizationId, member, owner } = await foundCompany(service);
    const { id: userId } = member;
    for (const order of ['role first', 'name first']) {
      const name = `Mia ${order} ${randomUUID().slice(0, 4)}`;
      const role = order === 'role first' ? 'admin' : 'member';
      const go = gate();
      const begun = gate();
      const changes = {
        name: async (pause?: Promise<void>) =>
          database.within({ userId }).transaction(async (tx) => {
            await rename(tx, userId, name);
            begun.open();
            await pause;
            await recordUserUpdated(tx);
          }),
        role: async (pause?: Promise<void>) =>
          database.within({ organizationId, userId: owner.id }).transaction(async (tx) => {
            await models(tx).member.updateMany({ where: { userId }, data: { role } });
            begun.open();
            await pause;
            await recordMember(tx, 'member.role-changed', userId);
          }),
      };
      const [slow, quick] =
        order === 'role first' ? (['role', 'name'] as const) : (['name', 'role'] as const);
      const slowly = changes[slow](go.opened);
      await Promise.race([begun.opened, slowly]);
      const quickly = changes[quick]();
      await sleep(100);
      go.open();
      await Promise.all([slowly, quickly]);
      const told = (await lastAbout(userId)).find(({ organization }) => organization === organizationId);
      expect(told).toMatchObject({ payload: { name, role } });
    }
  });
});

test('of a member of a new organization holds the name that the user is given at the same moment', async () => {
  const nora = await signUp(app, 'Nora Old');
  const [go, told] = [gate(), gate()];
  const renaming = database.within({ userId: nora.id }).transaction(async (tx) => {
    await rename(tx, nora.id, 'Nora New');
    await recordUserUpdated(tx);
    told.open();
    await go.opened;
  });
  await Promise.race([told.opened, renaming]);
  const founding = found(service, nora.token);
  await sleep(200);
  go.open();
  const [{ id }] = await Promise.all([founding, renaming]);
  const about = (await lastAbout(nora.id)).find(({ organization }) => organization === id);
  expect(about).toMatchObject({ type: 'member.added', payload: { name: 'Nora New' } });
});

test('a new account is published as a member only', async () => {
  const nora = await signUp(app, 'Nora New');
  expect(await lastAbout(nora.id)).toMatchObject([{ type: 'member.added', organization: personalOf(nora) }]);
});
