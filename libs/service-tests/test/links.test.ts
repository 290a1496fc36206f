import { randomUUID } from 'node:crypto';
import { ApiError, success } from '@tenantry/envelope';
import { startTestService, type TestService } from '@tenantry/service-tests';
import type { Tenant } from '@tenantry/service/business';
import { LocatedTokens } from '@tenantry/service/tokens';
import { statement } from '@tenantry/tenancy';
import pg from 'pg';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { models, notesService, notesTables } from './fixture/notes-service.ts';

const links = new LocatedTokens('tnl_');
const tables = `${notesTables}
  CREATE TABLE note_links (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    digest bytea NOT NULL,
    PRIMARY KEY (organization_id, id)
  );
  ALTER TABLE note_links ENABLE ROW LEVEL SECURITY;
  ALTER TABLE note_links FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON note_links
    USING (organization_id = (SELECT app.current_organization_id()))
    WITH CHECK (organization_id = (SELECT app.current_organization_id()));
  GRANT SELECT ON note_links TO tenantry_notes_service;`;

const linkById = statement<{ digest: Buffer }, [id: string]>({
  name: 'note-link-by-id',
  text: 'SELECT digest FROM note_links WHERE organization_id = $1 AND id = $2',
});
const findLink = async (tenant: Tenant, id: string) => (await tenant.query(linkById, [id]))[0];

/** Notes of an organization, for anyone who has a link to them. */
const service = notesService({
  sql: tables,
  features: ({ openLink }) => ({
    routes: [
      (app) => {
        app.get(
          '/api/notes/public',
          {
            config: { access: 'public' },
            schema: {
              operationId: 'getLinkedNotes',
              querystring: Type.Object({ token: Type.String() }, { additionalProperties: false }),
              response: { 200: Type.Unknown() },
            },
          },
          async (request) => {
            const { token } = request.query;
            const link = await openLink({ tokens: links, token, find: findLink });
            if (!link) throw new ApiError('NOT_FOUND', 'This link opens nothing.');
            const notes = await models(link.tenant).note.findMany({ select: { text: true } });
            return success({ notes }, request.id);
          },
        );
      },
    ],
  }),
});

let running: TestService;
let admin: pg.Pool;
const [mine, theirs] = [randomUUID(), randomUUID()];
const places = { mine: { ownerId: mine, id: randomUUID() }, theirs: { ownerId: theirs, id: randomUUID() } };
const made = { mine: links.make(places.mine), theirs: links.make(places.theirs) };

beforeAll(async () => {
  running = await startTestService(service);
  admin = new pg.Pool({ connectionString: running.testDatabase.adminUrl, max: 1 });
  admin.on('error', () => undefined);
  for (const whose of ['mine', 'theirs'] as const) {
    const { ownerId, id } = places[whose];
    await admin.query('INSERT INTO note_links VALUES ($1, $2, $3)', [ownerId, id, made[whose].digest]);
    await admin.query('INSERT INTO notes (organization_id, text) VALUES ($1, $2)', [ownerId, whose]);
  }
});
afterAll(async () => {
  await admin.end();
  await running.close();
});

const follow = (token: string) => running.caller().send('GET', `/api/notes/public?token=${token}`);

describe('a public route', () => {
  it('works in the organization that the token in the link was made for', async () => {
    for (const whose of ['mine', 'theirs'] as const) {
      expect((await follow(made[whose].token)).body).toMatchObject({ data: { notes: [{ text: whose }] } });
    }
  });

  it.each<[string, () => string]>([
    ['that was not made here', () => links.make(places.mine).token],
    ['of a row that is not there', () => links.make({ ownerId: mine, id: randomUUID() }).token],
    [
      'that names another organization’s row with an own secret',
      () => links.make({ ownerId: theirs, id: places.theirs.id }).token,
    ],
    [
      'whose organization was exchanged',
      () => {
        const bytes = Buffer.from(made.mine.token.slice('tnl_'.length), 'base64url');
        Buffer.from(theirs.replaceAll('-', ''), 'hex').copy(bytes);
        return `tnl_${bytes.toString('base64url')}`;
      },
    ],
    ['of another kind', () => new LocatedTokens('trr_').make(places.mine).token],
    ['that is no token', () => 'nothing'],
  ])('opens nothing by a token %s [S-90]', async (_, token) => {
    expect((await follow(token())).status).toBe(404);
  });
});
