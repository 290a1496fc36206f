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
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A sign-in that waits for its code or link. */
export type MailedSignIn = Statements['mailed-sign-in-by-token']['row'];

const columns = 'id, email, name, admission, flow_id AS "flowId", binding';

const insertSignIn = unscopedStatement({
  name: 'mailed-sign-in-insert',
  text: `
    INSERT INTO mailed_sign_ins
      (id, email, name, admission, flow_id, code_hash, token_digest, binding, created_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
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
    UPDATE mailed_sign_ins SET failures = failures + 1 WHERE id = $1 AND failures < 5
    RETURNING code_hash AS "codeHash"`,
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
    const { codeHash, tokenDigest, binding, createdAt, expiresAt } = signIn;
    const whose = [id, email, name, admission, flowId] as const;
    await tx.query(insertSignIn, [...whose, codeHash, tokenDigest, binding, createdAt, expiresAt]);
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

  /** Counts a code as wrong before it is compared. @returns what it is compared with; undefined after five */
  async countTry(rows: Unscoped, id: string): Promise<Buffer | undefined> {
    return (await rows.query(tryCode, [id]))[0]?.codeHash;
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
