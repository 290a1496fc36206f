import { theOne } from '@tenantry/tenancy';
import { statement, type Rows, type Transaction } from '../database.ts';

/** A counted letter. */
export interface CountedLetter {
  /** The same at every attempt. */
  readonly id: string;
  readonly senderId: string | null;
  /** SHA-256 of the address. */
  readonly recipient: Buffer;
}

/** Daily limits of letters per recipient, sender and organization. */
export interface LetterLimits {
  readonly recipient: number;
  readonly sender: number;
  readonly organization: number;
}

/** Seconds until another letter may be sent; 0 if now. */
export type SecondsLeft = Readonly<Record<keyof LetterLimits, number>>;

// A separate statement, so that the next one sees what others have committed meanwhile.
const lock = statement({
  name: 'mailed-letters-lock',
  text: `
    SELECT count(l.id)::int AS counted
    FROM (SELECT pg_advisory_xact_lock(hashtextextended(concat('mailed-letters', $1::uuid), 0))) AS lock
    LEFT JOIN mailed_letters l ON l.organization_id = $1`,
});

/** When the limit was reached, counted back from now, plus a day. */
const secondsUntilRoom = (max: string, condition: string) => `
  coalesce((
    SELECT extract(epoch FROM mailed_at + INTERVAL '1 day' - clock_timestamp())::float8 FROM mailed_letters
    WHERE organization_id = $1 AND mailed_at > clock_timestamp() - INTERVAL '1 day' AND id <> $2 AND ${condition}
    ORDER BY mailed_at DESC OFFSET ${max} - 1 LIMIT 1), 0)`;

const secondsLeft = statement({
  name: 'mailed-letters-seconds-left',
  text: `
    SELECT ${secondsUntilRoom('$5::int', 'recipient = $4')} AS recipient,
      ${secondsUntilRoom('$6::int', '$3::uuid IS NOT NULL AND sender_id = $3')} AS sender,
      ${secondsUntilRoom('$7::int', 'true')} AS organization`,
});

const insertLetter = statement({
  name: 'mailed-letters-insert',
  text: `
    WITH over AS (
      DELETE FROM mailed_letters WHERE organization_id = $1 AND mailed_at <= clock_timestamp() - INTERVAL '1 day')
    INSERT INTO mailed_letters (organization_id, id, sender_id, recipient, mailed_at)
    VALUES ($1, $2, $3, $4, clock_timestamp()) ON CONFLICT (organization_id, id) DO NOTHING`,
});

const removeLetter = statement({
  name: 'mailed-letters-remove',
  text: 'DELETE FROM mailed_letters WHERE organization_id = $1 AND id = $2',
});

/** The letters sent in the last 24 hours. */
export class LetterBudgetRepository {
  /** Makes the organization's other letters wait until the transaction ends. */
  async lock(tx: Transaction): Promise<void> {
    await tx.query(lock, []);
  }

  async secondsLeft(
    tx: Transaction,
    { id, senderId, recipient }: CountedLetter,
    limits: LetterLimits,
  ): Promise<SecondsLeft> {
    const max = [limits.recipient, limits.sender, limits.organization] as const;
    return theOne(await tx.query(secondsLeft, [id, senderId, recipient, ...max]));
  }

  /** Counts a letter, once even if called again, and deletes expired counts. */
  async insert(tx: Transaction, { id, senderId, recipient }: CountedLetter): Promise<void> {
    await tx.query(insertLetter, [id, senderId, recipient]);
  }

  async remove(rows: Rows, id: string): Promise<void> {
    await rows.query(removeLetter, [id]);
  }
}
