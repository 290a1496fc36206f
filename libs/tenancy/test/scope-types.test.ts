import { expect, it } from 'vitest';
import {
  statement,
  unscopedStatement,
  type OrganizationRows,
  type OrganizationTransaction,
  type TenantDatabase,
  type UnscopedRows,
  type UserRows,
} from '@tenantry/tenancy';
import { models } from './fixture/database.ts';

const ofOrganization = statement<{ text: string }>({
  name: 'types-of-organization',
  text: 'SELECT text FROM notes WHERE organization_id = $1',
});
const ofUser = statement<{ name: string }>({
  name: 'types-of-user',
  text: 'SELECT name FROM devices WHERE user_id = $1',
  owner: 'user',
});
const ofNobody = unscopedStatement<{ code: string }>({
  name: 'types-of-unscoped',
  text: 'SELECT code FROM countries',
});

const notesOf = (rows: OrganizationRows) => rows.query(ofOrganization, []);
const devicesOf = (rows: UserRows) => rows.query(ofUser, []);
const countriesOf = (rows: UnscopedRows) => rows.query(ofNobody, []);

/** It is compiled with the tests, and never called: each line that must not compile is marked so. */
async function asked(database: TenantDatabase, organizationId: string, userId: string) {
  const organization = database.within({ organizationId });
  const user = database.within({ userId });
  const both = database.within({ organizationId, userId });

  await Promise.all([notesOf(organization), notesOf(both), devicesOf(user), devicesOf(both)]);
  await Promise.all([organization, user, both, database.unscoped].map(countriesOf));
  // @ts-expect-error -- a user has no notes
  await notesOf(user);
  // @ts-expect-error -- an organization has no devices
  await devicesOf(organization);
  // @ts-expect-error -- the unscoped have no notes
  await notesOf(database.unscoped);
  // @ts-expect-error -- the statement of an organization
  await user.query(ofOrganization, []);
  // @ts-expect-error -- the statement of a user
  await organization.query(ofUser, []);
  // @ts-expect-error -- the statement of an organization
  await database.unscoped.query(ofOrganization, []);
  // @ts-expect-error -- the statement of a user
  organization.batches(ofUser, [], { rows: 1 });

  const [ofOrganizationModels, ofUserModels] = [models(organization), models(user)];
  const unscopedModels = models(database.unscoped);
  await Promise.all([ofOrganizationModels.note.count(), models(both).note.count()]);
  await Promise.all([ofUserModels.device.count(), unscopedModels.country.count()]);
  await ofOrganizationModels.country.count();
  // @ts-expect-error -- the model of an organization
  const ofUsers: keyof typeof ofUserModels = 'note';
  // @ts-expect-error -- the model of a user
  const ofOrganizations: keyof typeof ofOrganizationModels = 'device';
  // @ts-expect-error -- the model of an organization
  const ofNobodies: keyof typeof unscopedModels = 'note';
  // @ts-expect-error -- a way around the scope
  const around: keyof typeof ofOrganizationModels = '$queryRaw';

  await organization.transaction(async (tx: OrganizationTransaction) => {
    tx.send(ofOrganization, []);
    // @ts-expect-error -- the statement of a user
    tx.send(ofUser, []);
    await tx.within({ userId }, async (inner) => {
      await devicesOf(inner);
      // @ts-expect-error -- a user has no notes
      await notesOf(inner);
      const found: { name: string }[] = await inner.asScope().query(ofUser, []);
      return found;
    });
    const id: string = tx.scope.organizationId;
    return id;
  });
  await database.unscoped.transaction(async (tx) => {
    await countriesOf(tx);
    // @ts-expect-error -- the statement of a user
    await tx.query(ofUser, []);
    await tx.within({ organizationId }, notesOf);
  });
  return [ofUsers, ofOrganizations, ofNobodies, around];
}

it('what asks in the wrong scope does not compile', () => {
  expect(asked).toBeTypeOf('function');
});
