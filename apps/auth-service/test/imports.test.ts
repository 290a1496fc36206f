import { readArchive, rowsOf, type ReadArchive } from '@tenantry/service-tests';
import { thorough } from '@tenantry/test-kit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newEmail, send, signUp } from './support/client.ts';
import { ownedCompany, type OwnedCompany } from './support/connections.ts';
import { lettersTo } from './support/mail.ts';
import { ask, found, prove, switchTo } from './support/organizations.ts';
import { startService, type RunningService } from './support/service.ts';

const [here, there] = [
  await startService(),
  await startService({ settings: { MAX_PEOPLE_PER_ORGANIZATION: '12' } }),
];

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

async function importInto({ app, config }: RunningService, id: string, payload: object) {
  const answer = await app.inject({
    method: 'POST',
    url: `/internal/organizations/${id}/import`,
    headers: { authorization: `Bearer ${config.INTERNAL_API_KEY[0] ?? ''}` },
    payload,
  });
  return { status: answer.statusCode, body: answer.json<{ invitations: number; code: string }>() };
}

async function archiveOf({ app }: RunningService, { id, token }: Pick<OwnedCompany, 'id' | 'token'>) {
  const url = `/api/auth/organization/${id}/export`;
  return readArchive((await app.inject({ url, headers: { authorization: `Bearer ${token}` } })).rawPayload);
}

interface Row {
  readonly email: string;
  readonly role: string;
}

const settingsIn = (archive: ReadArchive) => {
  const columns = ['default_currency', 'vat_rate', 'quote_number_prefix', 'time_zone', 'vat_number'];
  const [row] = rowsOf(archive, 'organizations');
  const all = [
    ...columns,
    'address_lines',
    'address_postal_code',
    'address_city',
    'address_country',
    'logo_digest',
  ];
  return Object.fromEntries(all.map((column) => [column, row?.[column]]));
};

/** Everybody who belongs to it, or may. */
const peopleIn = (archive: ReadArchive) =>
  Object.fromEntries(
    [...rowsOf<Row>(archive, 'members'), ...rowsOf<Row>(archive, 'invitations')].map(({ email, role }) => [
      email,
      role,
    ]),
  );

/** An owner of a new, empty organization. */
async function newOwner(service: RunningService) {
  const owner = await signUp(service.app);
  await prove(service, owner);
  const { id } = await found(service, owner.token);
  return { id, owner, token: await switchTo(service, owner.token, id) };
}

const listed = async (service: RunningService, { id, token }: Pick<OwnedCompany, 'id' | 'token'>) =>
  (
    await ask<{ invitations: { id: string; email: string; role: string; isSent: boolean }[] }>(
      service,
      `GET /organization/${id}/invitations`,
      { token },
    )
  ).body.invitations;

const settings = {
  ...{ defaultCurrency: 'EUR', vatRate: 12.5, quoteNumberPrefix: 'AC', timeZone: 'Europe/Helsinki' },
  address: { lines: ['Esplanaden 1'], postalCode: '00100', city: 'Helsinki', country: 'FI' },
  vatNumber: 'FI12345671',
};

describe('an import of what an organization was elsewhere', () => {
  test('sets settings and logo, and is the same when it is exported again [S-291]', async () => {
    const address = fc.record({
      lines: fc.array(fc.stringMatching(/^[A-Za-zÅÄÖåäö][A-Za-zåäö0-9 ]{0,30}[a-z]$/), {
        minLength: 1,
        maxLength: 3,
      }),
      postalCode: fc.stringMatching(/^[0-9]{5}$/),
      city: fc.stringMatching(/^[A-ZÅÄÖ][a-zåäö]{1,20}$/),
      country: fc.constantFrom('SE', 'FI', 'DE'),
    });
    const anySettings = fc.record({
      defaultCurrency: fc.constantFrom('SEK', 'EUR', 'USD'),
      vatRate: fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
      quoteNumberPrefix: fc.stringMatching(/^[A-Z][A-Z0-9]{0,8}$/),
      timeZone: fc.constantFrom('UTC', 'Europe/Stockholm', 'America/New_York'),
      address: fc.option(address),
      vatNumber: fc.constantFrom(null, 'SE556012579001', 'FI12345671'),
    });
    const person = fc.record({
      n: fc.integer({ min: 0, max: 6 }),
      role: fc.constantFrom('owner', 'admin', 'member'),
    });
    await fc.assert(
      fc.asyncProperty(
        anySettings,
        fc.array(person, { maxLength: 5 }),
        fc.boolean(),
        async (any, some, hasLogo) => {
          const [from, into] = [await newOwner(here), await newOwner(there)];
          const people = [
            ...new Map(some.map(({ n, role }) => [n, { email: `n${n}-${newEmail()}`, role }])).values(),
          ];
          const given = { settings: any, logo: hasLogo ? png : null, people };
          expect((await importInto(here, from.id, given)).status).toBe(200);
          const archive = await archiveOf(here, from);
          const taken = {
            ...given,
            people: rowsOf<Row>(archive, 'invitations').map(({ email, role }) => ({ email, role })),
          };
          expect(await importInto(there, into.id, taken)).toMatchObject({
            body: { invitations: people.length },
          });
          expect(await importInto(there, into.id, taken)).toMatchObject({ body: { invitations: 0 } });
          const again = await archiveOf(there, into);
          expect(settingsIn(again)).toEqual(settingsIn(archive));
          expect(rowsOf(again, 'organization_logos')).toEqual(rowsOf(archive, 'organization_logos'));
          const { [into.owner.email]: own, ...others } = peopleIn(again);
          const { [from.owner.email]: former, ...before } = peopleIn(archive);
          expect([own, former, others]).toEqual(['owner', 'owner', before]);
        },
      ),
      { numRuns: thorough(40, 6) },
    );
  });

  test('mails nobody: an owner sends each invitation, and only that letter lets somebody in [S-338]', async () => {
    const into = await newOwner(there);
    const email = newEmail();
    expect((await importInto(there, into.id, { people: [{ email, role: 'admin' }] })).status).toBe(200);
    expect(await lettersTo(there, email)).toEqual([]);
    expect(await listed(there, into)).toMatchObject([{ email, role: 'admin', isSent: false }]);
    const body = { email, role: 'admin' };
    const sent = await ask(there, `POST /organization/${into.id}/invitations`, { token: into.token, body });
    expect(sent.status).toBe(201);
    expect(await listed(there, into)).toMatchObject([{ email, isSent: true }]);
    expect(await lettersTo(there, email)).toEqual(['invitation']);
    // Again, it is left as it is.
    expect((await importInto(there, into.id, { people: [body] })).body).toEqual({ invitations: 0 });
    expect(await lettersTo(there, email)).toEqual(['invitation']);
  });

  test('invites no member, and never more people than the organization may have [S-338]', async () => {
    const company = await ownedCompany(there);
    const { id, owner, admin } = company;
    const members = [owner, admin].map(({ email }) => ({ email: email.toUpperCase(), role: 'owner' }));
    expect((await importInto(there, id, { people: members })).body).toEqual({ invitations: 0 });
    const people = Array.from({ length: 10 }, () => ({ email: newEmail(), role: 'member' }));
    const refused = await importInto(there, id, { people });
    expect([refused.status, refused.body.code]).toEqual([409, 'QUOTA_EXCEEDED']);
    expect(await listed(there, company)).toEqual([]);
    expect((await importInto(there, id, { people: people.slice(0, 9) })).body).toEqual({ invitations: 9 });
    const many = Array.from({ length: 101 }, () => ({ email: newEmail(), role: 'member' }));
    expect((await importInto(there, id, { people: many })).status).toBe(400);
  });

  test('is noted in the trail, told to services, and judged like a change by an owner [S-338]', async () => {
    const into = await newOwner(there);
    expect((await importInto(there, into.id, { settings, logo: png, people: [] })).status).toBe(200);
    const [entry] = await there.sql(
      `SELECT actor_kind AS kind, details FROM audit_events WHERE organization_id = $1 AND action = 'organization.updated'`,
      [into.id],
    );
    expect(entry).toMatchObject({
      kind: 'operator',
      details: { values: { quoteNumberPrefix: { from: 'Q', to: 'AC' } } },
    });
    const [told] = await there.sql(
      `SELECT payload FROM events WHERE organization = $1 AND type = 'organization.updated' ORDER BY id DESC LIMIT 1`,
      [into.id],
    );
    expect(JSON.stringify(told)).toContain('Europe/Helsinki');
    for (const bad of [
      { settings: { ...settings, defaultCurrency: 'XXX' }, people: [] },
      { settings: { ...settings, requireTwoFactor: true }, people: [] },
      { logo: Buffer.from('<svg onload="alert(1)">').toString('base64'), people: [] },
      { people: [{ email: 'nobody', role: 'member' }] },
      { people: [{ email: newEmail(), role: 'operator' }] },
    ]) {
      expect((await importInto(there, into.id, bad)).status, JSON.stringify(bad)).toBe(400);
    }
    const nowhere = await importInto(there, '00000000-0000-4000-8000-000000000000', { people: [] });
    expect(nowhere.status).toBe(404);
    const open = await send(there.app, `GET /organization/${into.id}`, { token: into.token });
    expect(open.body.organization.id).toBe(into.id);
  });
});
