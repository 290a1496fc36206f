import { startTemporaryPostgres, type Postgres } from '@tenantry/dev-database';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migratedDatabase } from '../test/support/instance.ts';

const services = ['auth-service', 'leads-service', 'users-service', 'quotation-service'];

let postgres: Postgres;
const databases: pg.Client[] = [];

beforeAll(async () => {
  postgres = await startTemporaryPostgres();
  for (const service of services) {
    const url = new URL(await migratedDatabase(postgres, service));
    const database = new pg.Client(new URL(url.pathname, postgres.adminUrl).href);
    await database.connect();
    databases.push(database);
  }
});
afterAll(async () => {
  for (const database of databases) await database.end();
  await postgres.stop();
});

/** How each service compares a text. */
const foldings = (text: string): Promise<string[]> =>
  Promise.all(
    databases.map(async (database) => {
      const { rows } = await database.query<{ folded: string }>(
        'SELECT normalize(app.fold_text($1), NFC) AS folded',
        [text],
      );
      return rows[0]?.folded ?? '';
    }),
  );

it.each([
  ['Guðrún Þórðardóttir', 'gudrun thordardottir'],
  ['νίκος', 'ΝΙΚΟΣ'],
  ['Łukasz Sørensen-Đorđević', 'lukasz sorensen-dordevic'],
  ['GROẞ Æthœr', 'gross aethoer'],
  ['Ħamrun ŧ ı', 'hamrun t i'],
  ['한국어', '한국어'.normalize('NFD')],
  ['ガイド', 'ガイド'.normalize('NFD')],
  ['Йод', 'йод'],
  ['Åse\u030a', 'ase'],
])('a search for %s finds %s in every service', async (text, other) => {
  const [one, another] = [await foldings(text), await foldings(other)];
  expect(one).toEqual(services.map(() => one[0]));
  expect(another).toEqual(one);
});
