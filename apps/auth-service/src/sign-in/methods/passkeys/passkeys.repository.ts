import { isUniqueViolation } from '@tenantry/service/failures';
import { statement, type Rows, type Transaction } from '../../../database.ts';
import type { Statements } from '../../../statements.types.ts';
import type { NewPasskey, Passkey, PasskeyUse } from './passkey.ts';

type PasskeyRow = Statements['passkeys-of-user']['row'];

const columns = `id, credential_id AS "credentialId", public_key AS "publicKey", counter::text AS counter, transports,
  backup_eligible AS "backupEligible", backed_up AS "backedUp", name, created_at AS "createdAt",
  last_used_at AS "lastUsedAt"`;

const passkeysOfUser = statement({
  name: 'passkeys-of-user',
  times: 'text',
  owner: 'user',
  text: `SELECT ${columns} FROM passkeys WHERE user_id = $1 AND rp_id = $2 ORDER BY created_at, id`,
});

const passkeyByCredential = statement({
  name: 'passkey-by-credential',
  times: 'text',
  owner: 'user',
  text: `SELECT ${columns} FROM passkeys WHERE user_id = $1 AND rp_id = $2 AND credential_id = $3`,
});

const insertPasskey = statement({
  name: 'passkey-insert',
  owner: 'user',
  text: `
    INSERT INTO passkeys (user_id, id, credential_id, public_key, counter, transports, rp_id, backup_eligible,
      backed_up, name, created_at, added_on)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
});

// Compared and set atomically: of two uses with the same count, one succeeds.
const usePasskey = statement({
  name: 'passkey-use',
  owner: 'user',
  text: `
    UPDATE passkeys SET counter = $3, backed_up = $4, last_used_at = $5
    WHERE user_id = $1 AND id = $2 AND (counter < $3 OR (counter = 0 AND $3 = 0))
    RETURNING id`,
});

const removePasskey = statement({
  name: 'passkey-remove',
  owner: 'user',
  text: 'DELETE FROM passkeys WHERE user_id = $1 AND id = $2 RETURNING id',
});

const removePasskeys = statement({
  name: 'passkeys-remove-all',
  owner: 'user',
  text: `
    DELETE FROM passkeys WHERE user_id = $1 AND ($2::text IS NULL OR added_on IS DISTINCT FROM $2) RETURNING id`,
});

/** Stores passkeys; the user is that of the scope. */
export class PasskeysRepository {
  /** Those for a domain, oldest first. */
  async list(rows: Rows, rpId: string): Promise<Passkey[]> {
    return (await rows.query(passkeysOfUser, [rpId])).map(passkeyOf);
  }

  /** The one that an authenticator names. */
  async find(rows: Rows, rpId: string, credentialId: Buffer): Promise<Passkey | undefined> {
    const [row] = await rows.query(passkeyByCredential, [rpId, credentialId]);
    return row && passkeyOf(row);
  }

  /** @returns false where the user has it already */
  async insert(tx: Transaction, passkey: NewPasskey): Promise<boolean> {
    const { id, credentialId, publicKey, counter, transports, rpId, ...flags } = passkey;
    const { backupEligible, backedUp, name, createdAt, addedOn } = flags;
    const key = [id, credentialId, publicKey, counter, transports, rpId] as const;
    try {
      await tx.query(insertPasskey, [...key, backupEligible, backedUp, name, createdAt, addedOn]);
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  /** Records a use. @returns false if its counter did not increase, or the passkey was deleted */
  async use(tx: Transaction, id: string, { counter, backedUp }: PasskeyUse, at: Date): Promise<boolean> {
    return (await tx.query(usePasskey, [id, counter, backedUp, at])).length > 0;
  }

  /** @returns whether there was one */
  async remove(tx: Transaction, id: string): Promise<boolean> {
    return (await tx.query(removePasskey, [id])).length > 0;
  }

  /** Of all domains, except what the device with the mark `but` has added. @returns how many */
  async removeAll(tx: Transaction, but: string | null): Promise<number> {
    return (await tx.query(removePasskeys, [but])).length;
  }
}

const passkeyOf = ({ counter, transports, ...row }: PasskeyRow): Passkey => ({
  ...row,
  counter: Number(counter),
  transports: transports ?? [],
});
