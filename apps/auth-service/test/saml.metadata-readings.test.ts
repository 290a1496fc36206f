import { createLogger } from '@tenantry/service/logging';
import { patience, SamlProvider, selfSigned, testLog } from '@tenantry/test-kit';
import { afterAll, describe, expect, test } from 'vitest';
import { createGround } from '../src/ground/index.ts';
import { createWings } from '../src/wings.ts';
import { connectionsOf } from './support/connections.ts';
import { letterTo, lettersTo } from './support/mail.ts';
import { samlCompany } from './support/saml.ts';
import { openDatabase, startService } from './support/service.ts';

const idp = await SamlProvider.listen(afterAll);
const service = await startService({
  settings: { AUTH_URL: 'https://api.example.com/api/auth', SSO_LOOPBACK_ORIGINS: idp.address },
});
const { config, sql } = service;
const log = testLog();
const logger = createLogger({ name: 'test', level: 'warn', destination: log });
const database = openDatabase(config, logger);
const start = Date.now();
const hourMs = 60 * 60 * 1_000;
let aheadHours = 0;
const now = () => new Date(start + aheadHours * hourMs);
/** As several instances of the service have them. */
const instances = Array.from({ length: 3 }, () => {
  const ground = createGround({ config, logger, database, now });
  return createWings({ ...ground, endOfReading: () => AbortSignal.timeout(patience()) }).connections;
});
afterAll(async () => {
  for (const { background } of instances) {
    await Promise.all(background.work.map(async (work) => 'close' in work && work.close()));
  }
  await database.close();
});

/** Looks at all that is due a number of hours from now. */
async function lookAfter(hours: number): Promise<void> {
  aheadHours += hours;
  await Promise.all(
    instances.map(async ({ metadataReadings }) => {
      while (await metadataReadings.readSome());
    }),
  );
}

const inDays = (days: number): Date => new Date(now().getTime() + days * 24 * hourMs);

async function companyBy(saml: object) {
  const company = await samlCompany(service, saml);
  const connections = connectionsOf(service, company);
  await sql('UPDATE connection_keys SET due_at = $2 WHERE id = $1', [company.connection.id, now()]);
  const told = async () =>
    (await lettersTo(service, company.owner.email)).filter((template) => template === 'certificate-ends')
      .length;
  const fingerprints = async () =>
    (await connections.get(company.connection.id)).body.connection.saml?.certificates.map(
      ({ fingerprint }) => fingerprint,
    );
  return { ...company, connections, told, fingerprints };
}

describe('the metadata of a connection that is on [S-254]', () => {
  test('is read again once a day, however many instances do it', async () => {
    const company = await companyBy({ metadataUrl: idp.metadataUrl });
    const before = await company.fingerprints();
    await lookAfter(0);
    idp.signer = selfSigned({ name: 'next.example' });
    await lookAfter(23);
    expect(await company.fingerprints()).toEqual(before);
    await lookAfter(2);
    expect(await company.fingerprints()).not.toEqual(before);
    const entries = await sql(
      `SELECT actor_kind, details FROM audit_events WHERE organization_id = $1 AND target_id = $2
         AND action = 'connection.updated' AND actor_kind = 'job'`,
      [company.id, company.connection.id],
    );
    expect(entries).toEqual([{ actor_kind: 'job', details: { changes: ['certificates'] } }]);
  });

  test('stays where it is not read, or names another entity', async () => {
    const company = await companyBy({ metadataUrl: idp.metadataUrl });
    const before = await company.fingerprints();
    const { signer } = idp;
    idp.signer = selfSigned();
    const entityId = idp.entityId;
    Object.assign(idp, { entityId: 'https://elsewhere.example/entity' });
    await lookAfter(25);
    expect([await company.fingerprints(), log.text()]).toEqual([
      before,
      expect.stringContaining('"problem":"entity-id"') as string,
    ]);
    Object.assign(idp, { entityId, signer });
    // Tried again in an hour.
    idp.signer = selfSigned();
    await lookAfter(2);
    expect(await company.fingerprints()).not.toEqual(before);
  });
});

describe('the end of the last certificate [S-254]', () => {
  const by = (to: Date, ...others: Date[]) => ({
    entityId: 'urn:acme:idp',
    ssoUrl: 'https://idp.example/sso',
    certificates: [to, ...others].map((end) => selfSigned({ to: end }).certificate),
  });

  test('is told to owners two weeks before, once', async () => {
    const company = await companyBy(by(inDays(20), inDays(3)));
    await lookAfter(0);
    expect(await company.told()).toBe(0);
    await lookAfter(7 * 24);
    expect(await company.told()).toBe(1);
    expect(await letterTo(service, company.owner.email, 'certificate-ends')).toContain('“Acme”');
    await lookAfter(2 * 24);
    expect(await company.told()).toBe(1);
    expect((await lettersTo(service, company.admin.email)).includes('certificate-ends')).toBe(false);
  });

  test('is not told while another one lasts, or the connection is off', async () => {
    const renewed = await companyBy(by(inDays(3), inDays(300)));
    const off = await companyBy(by(inDays(3)));
    await off.connections.change(off.connection.id, { enabled: false });
    await lookAfter(25);
    expect([await renewed.told(), await off.told()]).toEqual([0, 0]);
  });
});
