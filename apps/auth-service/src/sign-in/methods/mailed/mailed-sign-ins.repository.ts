import { unscopedStatement, type Transaction, type Unscoped } from '../../../database.ts';
import { defineSweep } from '../../../ground/index.ts';
import type { Statements } from '../../../statements.types.ts';
import type { Admission } from '../../newcomers.ts';

/** A sign-in about to be mailed. */
interface NewMailedSignIn {
  readonly id: string;
  readonly email: string;
  readonly name: string | undefined;
  readonly admission: Admission;
  /** The sign-in at a provider whose account it links. */
  readonly flowId: string | undefined;
  readonly codeHash: Buffer;
  readonly tokenDigest: Buffer;
  readonly binding: string;
  /** The request whose letter serves it; undefined if its letter serves no other. */
  readonly letterOf: string | undefined;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A sign-in that waits for its code or link. */
export type MailedSignIn = Statements['mailed-sign-in-by-token']['row'];

/** The code of a letter, and the request that the letter was sent for. */
export type LetterCode = Statements['mailed-sign-in-try']['row'];

const columns = `id, email, name, admission, flow_id AS "flowId", binding, coalesce(letter_of, id) AS "letterOf"`;

const insertSignIn = unscopedStatement({
  name: 'mailed-sign-in-insert',
  text: `
    INSERT INTO mailed_sign_ins
      (id, email, name, admission, flow_id, code_hash, token_digest, binding, letter_of, created_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
});

const sharedLetter = unscopedStatement({
  name: 'mailed-sign-in-shared-letter',
  text: `
    SELECT id FROM mailed_sign_ins WHERE email = $1 AND letter_of = id AND expires_at > $2
    ORDER BY created_at DESC, id DESC LIMIT 1`,
});

const findByToken = unscopedStatement({
  name: 'mailed-sign-in-by-token',
  text: `
    SELECT ${columns} FROM mailed_sign_ins WHERE id = $1 AND token_digest = $2 AND expires_at > $3 AND failures < 5`,
});

const findByBinding = unscopedStatement({
  name: 'mailed-sign-in-by-binding',
  text: `
    SELECT ${columns} FROM mailed_sign_ins WHERE id = $1 AND binding = $2 AND expires_at > $3`,
});

// Counted before it is compared: of any number of concurrent guesses, five are compared.
const tryCode = unscopedStatement({
  name: 'mailed-sign-in-try',
  text: `
    UPDATE mailed_sign_ins AS request SET failures = request.failures + 1
    FROM mailed_sign_ins AS letter
    WHERE request.id = $1 AND request.failures < 5 AND letter.id = coalesce(request.letter_of, request.id)
      AND letter.expires_at > $2
    RETURNING letter.id, letter.code_hash AS "codeHash"`,
});

const giveBackTry = unscopedStatement({
  name: 'mailed-sign-in-give-back',
  text: 'UPDATE mailed_sign_ins SET failures = failures - 1 WHERE id = $1 AND failures > 0',
});

const holdSignIn = unscopedStatement({
  name: 'mailed-sign-in-hold',
  text: 'SELECT id FROM mailed_sign_ins WHERE id = $1 AND expires_at > $2 FOR KEY SHARE',
});

const takeSignIn = unscopedStatement({
  name: 'mailed-sign-in-take',
  text: 'DELETE FROM mailed_sign_ins WHERE id = $1 AND expires_at > $2 RETURNING id',
});

const forgetAddress = unscopedStatement({
  name: 'mailed-sign-in-forget-address',
  text: 'DELETE FROM mailed_sign_ins WHERE email = $1',
});

export const sweepMailedSignIns = defineSweep({
  table: 'mailed_sign_ins',
  over: `expires_at < statement_timestamp() - INTERVAL '1 hour'`,
  by: 'expires_at',
});

/** Stores mailed sign-ins. They are found before the user is known, so they have no scope. */
export class MailedSignInsRepository {
  async insert(tx: Transaction, signIn: NewMailedSignIn): Promise<void> {
    const { id, email, name = null, admission, flowId = null } = signIn;
    const { codeHash, tokenDigest, binding, letterOf = null, createdAt, expiresAt } = signIn;
    const whose = [id, email, name, admission, flowId] as const;
    await tx.query(insertSignIn, [...whose, codeHash, tokenDigest, binding, letterOf, createdAt, expiresAt]);
  }

  /** The request whose letter, the last that left and is still valid, may serve another one of the address. */
  async findShared(
    tx: Transaction,
    { email, at }: { readonly email: string; readonly at: Date },
  ): Promise<string | undefined> {
    return (await tx.query(sharedLetter, [email, at]))[0]?.id;
  }

  /** The live one that a token opens. */
  async findByToken(
    rows: Unscoped,
    key: { readonly id: string; readonly digest: Buffer; readonly at: Date },
  ): Promise<MailedSignIn | undefined> {
    return (await rows.query(findByToken, [key.id, key.digest, key.at]))[0];
  }

  /** The live one that a device began. */
  async findByBinding(
    rows: Unscoped,
    key: { readonly id: string; readonly binding: string; readonly at: Date },
  ): Promise<MailedSignIn | undefined> {
    return (await rows.query(findByBinding, [key.id, key.binding, key.at]))[0];
  }

  /**
   * Counts a code as wrong before it is compared.
   *
   * @returns what it is compared with; undefined after five, or where the letter has expired or was used
   */
  async countTry(rows: Unscoped, id: string, at: Date): Promise<LetterCode | undefined> {
    return (await rows.query(tryCode, [id, at]))[0];
  }

  /** Undoes the count of a right code. */
  async giveBackTry(rows: Unscoped, id: string): Promise<void> {
    await rows.query(giveBackTry, [id]);
  }

  /** Keeps a live one from being used up before the transaction ends. @returns whether there is one */
  async hold(tx: Transaction, id: string, at: Date): Promise<boolean> {
    return (await tx.query(holdSignIn, [id, at])).length > 0;
  }

  /** Consumes a live one: of several concurrent uses, one succeeds. */
  async take(tx: Transaction, id: string, at: Date): Promise<boolean> {
    return (await tx.query(takeSignIn, [id, at])).length > 0;
  }

  /** Forgets those of an address. */
  async forgetAddress(tx: Transaction, email: string): Promise<void> {
    await tx.query(forgetAddress, [email]);
  }
}
