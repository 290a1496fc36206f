import { startTemporaryPostgres, type Postgres } from '@tenantry/dev-database';
import { foldText } from '@tenantry/text';
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
  ['Seán O’Brien', "SEAN O'BRIEN"],
  ['Per\u00a0  Ek\u2011Ås', 'per ek-as'],
  ['ﬁrma ＡＢ №\u2009½', 'firma ab no 1⁄2'],
  ['ﾊﾟｰﾃｨｰ', 'パーティー'],
  ['so\u00adft\u200b', 'soft'],
  ['max@xn--mller-dach-9db.example', 'max@xn--mller-dach-9db.example max@muller-dach.example'],
  ['info@xn--r8jz45g.xn--zckzah', 'info@xn--r8jz45g.xn--zckzah info@例え.テスト'],
  ['한국어', '한국어'.normalize('NFD')],
  ['ガイド', 'ガイド'.normalize('NFD')],
  ['Йод', 'йод'],
  ['Åse\u030a', 'ase'],
])('a search for %s finds %s in every service', async (text, other) => {
  const [one, another] = [await foldings(text), await foldings(other)];
  expect(one).toEqual(services.map(() => one[0]));
  expect(another).toEqual(one);
});

it('every service folds by one function', async () => {
  const functions = await Promise.all(
    databases.map(async (database) => {
      const { rows } = await database.query<{ text: string }>(
        `SELECT pg_get_functiondef(oid) AS text FROM pg_proc
         WHERE pronamespace = 'app'::regnamespace
           AND proname IN ('decode_label', 'fold_letters', 'fold_text', 'loose_pattern', 'loosen', 'spellings', 'written_address')
         ORDER BY proname`,
      );
      return rows.map(({ text }) => text);
    }),
  );
  expect(functions[0]).toHaveLength(7);
  expect(functions).toEqual(services.map(() => functions[0]));
});

it('foldText folds each character as the databases do, and what is folded stays as it is', async () => {
  // Without the ideographs and syllables that no form but themselves has, and what only one of the two knows.
  const { rows } = await databases[0]!.query<{ point: number; folded: string; again: string }>(
    `SELECT point, app.fold_text(text) AS folded, app.fold_text(app.fold_text(text)) AS again
     FROM generate_series(1, 131071) AS point, LATERAL (SELECT 'a' || chr(point) || 'b') AS given (text)
     WHERE NOT (point BETWEEN 13312 AND 40959 OR point BETWEEN 44032 AND 63743 OR point BETWEEN 71680 AND 118783)
       AND unicode_assigned(chr(point))`,
  );
  expect(rows.length).toBeGreaterThan(20_000);
  const others = rows.filter(({ point, folded, again }) => {
    const ours = foldText(`a${String.fromCodePoint(point)}b`);
    return ours !== folded || again !== folded;
  });
  expect(others).toEqual([]);
});

it('no text becomes so long that an index could not hold it', async () => {
  const { rows } = await databases[0]!.query<{ longest: number }>(
    `SELECT max(octet_length(app.fold_text(repeat(chr(point), 100))))::int AS longest
     FROM generate_series(1, 131071) AS point
     WHERE point BETWEEN 1 AND 13311 OR point BETWEEN 63744 AND 66000 OR point BETWEEN 118784 AND 131071`,
  );
  expect(rows[0]?.longest).toBeLessThanOrEqual(1_200);
});
