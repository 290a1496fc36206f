import { join } from 'node:path';
import { ExplainedError } from '@tenantry/dev-database';
import { ImportRefused, judge, type OpenedArchive } from '@tenantry/service/archive';
import { lastMigration } from '@tenantry/tenancy';
import { readSecrets } from '../secrets.ts';
import type { ImportSurroundings, OneImport } from './one-import.ts';

/** A row of an archive, by its columns. */
type Row = Readonly<Record<string, unknown>>;

/** Invitations that auth-service prepares at once. */
const peopleAtOnce = 100;

/**
 * Imports the archive of auth-service, by its own operation: it sets settings and logo, and prepares invitations. It decides about
 * everything that lets somebody in, so none of its tables is written directly.
 *
 * @throws ExplainedError where there is no INTERNAL_API_KEY
 */
export async function importAccess(
  archive: OpenedArchive,
  { described, service, env, directory, organizationId }: ImportSurroundings,
): Promise<OneImport> {
  const { name, archive: declared, migrationsDirectory } = service;
  if (!declared) throw new ExplainedError(`${name} imports no archives.`);
  const migration = await lastMigration(migrationsDirectory);
  const secrets = await readSecrets(join(directory, 'secrets.json'));
  const [key] = (env['INTERNAL_API_KEY'] || secrets['INTERNAL_API_KEY'] || '').split(',');
  if (!key)
    throw new ExplainedError(`${name} is asked with INTERNAL_API_KEY: begin with npm start, or set it.`);
  const address = env['AUTH_INTERNAL_URL'] || `http://127.0.0.1:${described.port}`;
  const url = `${address}/internal/organizations/${organizationId}`;
  const headers = { authorization: `Bearer ${key}` };
  return {
    async check() {
      await judge(archive, { service: name, migration, tables: declared.tables });
      const { state } = (await ask(name, url, { headers })) as { readonly state?: string };
      if (state !== 'live') throw new ImportRefused(`There is no organization ${organizationId} here.`);
    },
    async write() {
      const [organization] = await rowsIn(archive, 'organizations');
      if (!organization) throw new ImportRefused('It has no organization.');
      const [logo] = await rowsIn(archive, 'organization_logos');
      const post = async (body: object): Promise<number> => {
        const answer = await ask(name, `${url}/import`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        return Number(answer['invitations'] ?? 0);
      };
      await post({ settings: settingsOf(organization), logo: logoOf(logo), people: [] });
      const people = await peopleIn(archive);
      let invitations = 0;
      for (let at = 0; at < people.length; at += peopleAtOnce)
        invitations += await post({ people: people.slice(at, at + peopleAtOnce) });
      return new Map([
        ['settings', 1],
        ['invitations to be sent by an owner', invitations],
      ]);
    },
  };
}

async function ask(service: string, url: string, request: RequestInit): Promise<Row> {
  const answer = await fetch(url, request).catch((error: unknown) => {
    throw new ExplainedError(`${service} does not answer at ${new URL(url).origin}: ${String(error)}`);
  });
  const body = (await answer.json().catch(() => ({}))) as Row;
  if (answer.status === 404) throw new ImportRefused('There is no such organization here.');
  if (answer.ok) return body;
  throw new ImportRefused(
    `${service} refused it: ${typeof body['message'] === 'string' ? body['message'] : answer.status}`,
  );
}

async function rowsIn(archive: OpenedArchive, table: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const { text } of archive.lines(table)) rows.push(JSON.parse(text) as Row);
  return rows;
}

/** Everybody who had a place or the offer of one, but for those whose account was disabled. */
async function peopleIn(archive: OpenedArchive): Promise<readonly Row[]> {
  const members = (await rowsIn(archive, 'members')).filter(
    ({ is_disabled: isDisabled }) => isDisabled !== true,
  );
  const { moment } = archive.manifest;
  const invited = (await rowsIn(archive, 'invitations')).filter(
    ({ expires_at: end }) => Date.parse(String(end)) > Date.parse(moment),
  );
  return [...members, ...invited].map(({ email, role }) => ({ email, role }));
}

function settingsOf(row: Row): Row {
  const address = {
    lines: row['address_lines'],
    postalCode: row['address_postal_code'],
    city: row['address_city'],
    country: row['address_country'],
  };
  return {
    defaultCurrency: row['default_currency'],
    vatRate: row['vat_rate'],
    quoteNumberPrefix: row['quote_number_prefix'],
    timeZone: row['time_zone'],
    address: address.country === null ? null : address,
    vatNumber: row['vat_number'],
  };
}

/** PostgreSQL writes bytes as `\x` and hexadecimal. */
const logoOf = (row: Row | undefined): string | null =>
  row ? Buffer.from(String(row['content']).replace(/^\\x/, ''), 'hex').toString('base64') : null;
