import type { LocatedToken } from '@tenantry/service/tokens';
import { statement, type Rows, type Transaction } from '../../database.ts';
import { made, makerColumns, type Maker } from '../../organizations/index.ts';
import type { Statements } from '../../statements.types.ts';

type ListedToken = Statements['scim-tokens']['row'];

/** A token as owners see it, without the token itself; times are ISO 8601 text. */
export interface ScimToken extends Omit<ListedToken, 'createdBy' | 'createdByName'> {
  readonly createdBy: Maker;
}

/** Whose token it is. */
export type TokenSubject = Statements['scim-token-use']['row'];

/** What a request shows, and for which connection. */
type ShownToken = Pick<LocatedToken, 'id' | 'digest'> & { readonly connectionId: string };

interface NewToken extends ShownToken {
  readonly ending: string;
  readonly createdBy: string;
  readonly at: Date;
}

const tokens = statement({
  name: 'scim-tokens',
  times: 'text',
  text: `
    SELECT t.id, t.ending, ${makerColumns('t')}, t.created_at AS "createdAt", t.last_used_at AS "lastUsedAt"
    FROM scim_tokens t WHERE t.organization_id = $1 AND t.connection_id = $2 ORDER BY t.created_at, t.id`,
});

const insertToken = statement({
  name: 'scim-token-insert',
  text: `
    INSERT INTO scim_tokens (organization_id, id, connection_id, digest, ending, created_by, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
});

const removeToken = statement({
  name: 'scim-token-remove',
  text: `DELETE FROM scim_tokens WHERE organization_id = $1 AND connection_id = $2 AND id = $3 RETURNING ending`,
});

// To the hour: one write an hour, and no history of requests.
const useToken = statement({
  name: 'scim-token-use',
  text: `
    WITH found AS (
      SELECT t.id AS "tokenId", c.name AS "connectionName"
      FROM scim_tokens t JOIN connections c ON c.organization_id = t.organization_id AND c.id = t.connection_id
      WHERE t.organization_id = $1 AND t.id = $2 AND t.connection_id = $3 AND t.digest = $4),
    used AS (
      UPDATE scim_tokens SET last_used_at = date_trunc('hour', $5::timestamptz) FROM found
      WHERE organization_id = $1 AND id = "tokenId"
        AND (last_used_at IS NULL OR last_used_at < date_trunc('hour', $5::timestamptz)))
    SELECT * FROM found`,
});

const holdToken = statement({
  name: 'scim-token-hold',
  text: `
    SELECT id FROM scim_tokens
    WHERE organization_id = $1 AND id = $2 AND connection_id = $3 AND digest = $4 FOR KEY SHARE`,
});

/** Stores the tokens of directories; the organization is that of the scope. */
export class ScimTokensRepository {
  /** Of a connection, in order of creation. */
  async list(rows: Rows, connectionId: string): Promise<ScimToken[]> {
    return (await rows.query(tokens, [connectionId])).map(made);
  }

  async insert(tx: Transaction, token: NewToken): Promise<void> {
    const { id, connectionId, digest, ending, createdBy, at } = token;
    await tx.query(insertToken, [id, connectionId, digest, ending, createdBy, at]);
  }

  /** @returns whether there was one */
  async remove(
    tx: Transaction,
    { connectionId, id }: { readonly connectionId: string; readonly id: string },
  ): Promise<boolean> {
    return (await tx.query(removeToken, [connectionId, id])).length > 0;
  }

  /** Whose a token is, which counts as used. */
  async use(
    rows: Rows,
    { id, connectionId, digest }: ShownToken,
    at: Date,
  ): Promise<TokenSubject | undefined> {
    return (await rows.query(useToken, [id, connectionId, digest, at]))[0];
  }

  /** Keeps a token until the transaction ends. @returns whether it is still there */
  async hold(tx: Transaction, { id, connectionId, digest }: ShownToken): Promise<boolean> {
    return (await tx.query(holdToken, [id, connectionId, digest])).length > 0;
  }
}
