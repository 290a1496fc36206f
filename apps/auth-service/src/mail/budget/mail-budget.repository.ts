import { unscopedStatement, type Transaction } from '../../database.ts';
import { defineSweep } from '../../ground/index.ts';

/** A window of letters to count in. */
interface CountedWindow {
  /** SHA-256 wide. */
  readonly key: Buffer;
  readonly max: number;
  readonly seconds: number;
}

// Rows are locked in the order of their keys, so that two letters never wait for each other.
const spendLetters = unscopedStatement({
  name: 'mail-budget-spend',
  text: `
    INSERT INTO mail_budgets AS budget (key, letters, ends_at)
    SELECT wanted.key, 1, $4::timestamptz + make_interval(secs => wanted.seconds)
    FROM unnest($1::bytea[], $3::int[]) AS wanted (key, seconds) ORDER BY wanted.key
    ON CONFLICT (key) DO UPDATE SET
      letters = CASE WHEN budget.ends_at <= $4 THEN 1 ELSE budget.letters + 1 END,
      ends_at = CASE WHEN budget.ends_at <= $4 THEN excluded.ends_at ELSE budget.ends_at END
    WHERE budget.ends_at <= $4 OR budget.letters < (
      SELECT allowed.max FROM unnest($1::bytea[], $2::int[]) AS allowed (key, max) WHERE allowed.key = excluded.key)
    RETURNING key`,
});

const giveBackLetters = unscopedStatement({
  name: 'mail-budget-give-back',
  text: 'UPDATE mail_budgets SET letters = letters - 1 WHERE key = ANY($1::bytea[])',
});

const endOfBudget = unscopedStatement({
  name: 'mail-budget-end',
  text: 'SELECT ends_at AS "endsAt" FROM mail_budgets WHERE key = $1',
});

export const sweepMailBudgets = defineSweep({
  table: 'mail_budgets',
  over: 'ends_at < statement_timestamp()',
  by: 'ends_at',
});

/** Counts a letter in every window that has room. @returns the keys of these */
export async function spend(tx: Transaction, windows: readonly CountedWindow[], at: Date): Promise<Buffer[]> {
  const keys = windows.map(({ key }) => key);
  const maxima = windows.map(({ max }) => max);
  const seconds = windows.map((window) => window.seconds);
  const counted = await tx.query(spendLetters, [keys, maxima, seconds, at]);
  return counted.map(({ key }) => key);
}

/** Undoes counts of the same transaction. */
export async function giveBack(tx: Transaction, keys: readonly Buffer[]): Promise<void> {
  await tx.query(giveBackLetters, [[...keys]]);
}

/** When a window ends. */
export async function endOf(tx: Transaction, key: Buffer): Promise<Date | undefined> {
  return (await tx.query(endOfBudget, [key]))[0]?.endsAt;
}
