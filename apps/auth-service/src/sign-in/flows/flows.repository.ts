import { unscopedStatement, type Transaction, type Unscoped } from '../../database.ts';
import { defineSweep } from '../../ground/index.ts';
import type { Statements } from '../../statements.types.ts';

/** The purpose of a visit: at a provider of this service, or at the identity provider of an organization. */
export type FlowIntent = 'sign-in' | 'link' | 'sso' | 'sso-link';

/** Encrypted contents of a flow's row. */
export interface SealedContent {
  readonly encryptedContent: Buffer;
  readonly secretId: string;
}

/** A flow as it is stored; it names the user who links. */
export type StoredFlow = Statements['flow-by-ticket']['row'];

/** A flow that begins. */
interface NewFlow extends StoredFlow {
  readonly stateDigest: Buffer;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** The state that a browser has brought back. */
interface ReturnedState {
  readonly stateDigest: Buffer;
  readonly provider: string;
  readonly at: Date;
}

/** The result of a flow. */
interface FlowOutcome extends SealedContent {
  readonly id: string;
  readonly ticketDigest: Buffer;
  readonly expiresAt: Date;
}

/** A flow that waits for the next step of its sign-in. */
interface KeptUntil {
  readonly id: string;
  /** Whether it waited for its ticket before. */
  readonly hasTicket: boolean;
  readonly until: Date;
  readonly at: Date;
}

const columns = `id, provider, intent, redirect_to AS "redirectTo", binding, code_challenge AS "codeChallenge",
  user_id AS "userId", encrypted_content AS "encryptedContent", secret_id AS "secretId"`;

const insertFlow = unscopedStatement({
  name: 'flow-insert',
  text: `
    INSERT INTO sign_in_flows (id, state_digest, provider, intent, redirect_to, binding, code_challenge, user_id,
      encrypted_content, secret_id, created_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
});

// Of several concurrent responses, one counts.
const claimFlow = unscopedStatement({
  name: 'flow-claim',
  text: `
    UPDATE sign_in_flows SET claimed_at = $3
    WHERE state_digest = $1 AND provider = $2 AND claimed_at IS NULL AND expires_at > $3 RETURNING ${columns}`,
});

const flowByState = unscopedStatement({
  name: 'flow-by-state',
  text: `
    SELECT ${columns} FROM sign_in_flows
    WHERE state_digest = $1 AND provider = $2 AND claimed_at IS NULL AND expires_at > $3`,
});

const finishFlow = unscopedStatement({
  name: 'flow-finish',
  text: `
    UPDATE sign_in_flows SET ticket_digest = $2, encrypted_content = $3, secret_id = $4, expires_at = $5
    WHERE id = $1 AND ticket_digest IS NULL RETURNING id`,
});

const flowByTicket = unscopedStatement({
  name: 'flow-by-ticket',
  text: `SELECT ${columns} FROM sign_in_flows WHERE ticket_digest = $1 AND expires_at > $2`,
});

const holdFlow = unscopedStatement({
  name: 'flow-hold',
  text: `
    SELECT ${columns} FROM sign_in_flows
    WHERE id = $1 AND claimed_at IS NOT NULL AND expires_at > $2 FOR UPDATE`,
});

const takeFlow = unscopedStatement({
  name: 'flow-take',
  text: `
    DELETE FROM sign_in_flows
    WHERE id = $1 AND claimed_at IS NOT NULL AND expires_at > $2 RETURNING ${columns}`,
});

// Of several concurrent uses of a ticket, one keeps its flow.
const keepFlow = unscopedStatement({
  name: 'flow-keep',
  text: `
    UPDATE sign_in_flows SET ticket_digest = NULL, expires_at = $3
    WHERE id = $1 AND claimed_at IS NOT NULL AND (ticket_digest IS NOT NULL) = $2::boolean AND expires_at > $4
    RETURNING ${columns}`,
});

const removeFlow = unscopedStatement({
  name: 'flow-remove',
  text: 'DELETE FROM sign_in_flows WHERE id = $1',
});

const removeClaimedFlow = unscopedStatement({
  name: 'flow-remove-claimed',
  text: 'DELETE FROM sign_in_flows WHERE id = $1 AND claimed_at IS NOT NULL',
});

export const sweepFlows = defineSweep({
  table: 'sign_in_flows',
  over: `expires_at < statement_timestamp() - INTERVAL '1 hour'`,
  by: 'expires_at',
});

/** Stores flows. They are found before the user is known, so they have no scope. */
export class FlowsRepository {
  async insert(rows: Unscoped, flow: NewFlow): Promise<void> {
    const { id, stateDigest, provider, intent, redirectTo, binding, codeChallenge, userId } = flow;
    const { encryptedContent, secretId, createdAt, expiresAt } = flow;
    const who = [id, stateDigest, provider, intent, redirectTo, binding, codeChallenge, userId] as const;
    await rows.query(insertFlow, [...who, encryptedContent, secretId, createdAt, expiresAt]);
  }

  /** The live flow of a state, for the first that asks. */
  async claim(rows: Unscoped, { stateDigest, provider, at }: ReturnedState): Promise<StoredFlow | undefined> {
    return (await rows.query(claimFlow, [stateDigest, provider, at]))[0];
  }

  /** The live flow of a state that nobody has claimed. */
  async find(rows: Unscoped, { stateDigest, provider, at }: ReturnedState): Promise<StoredFlow | undefined> {
    return (await rows.query(flowByState, [stateDigest, provider, at]))[0];
  }

  /** @returns false for one that is gone meanwhile */
  async finish(rows: Unscoped, outcome: FlowOutcome): Promise<boolean> {
    const { id, ticketDigest, encryptedContent, secretId, expiresAt } = outcome;
    const values = [id, ticketDigest, encryptedContent, secretId, expiresAt] as const;
    return (await rows.query(finishFlow, [...values])).length > 0;
  }

  async findByTicket(rows: Unscoped, ticketDigest: Buffer, at: Date): Promise<StoredFlow | undefined> {
    const [flow] = await rows.query(flowByTicket, [ticketDigest, at]);
    return flow;
  }

  /** Locks a live flow against other uses. */
  async hold(tx: Transaction, id: string, at: Date): Promise<StoredFlow | undefined> {
    return (await tx.query(holdFlow, [id, at]))[0];
  }

  /** Consumes a live flow: of several concurrent uses, one succeeds. */
  async take(tx: Transaction, id: string, at: Date): Promise<StoredFlow | undefined> {
    return (await tx.query(takeFlow, [id, at]))[0];
  }

  /** Keeps a live flow until the next step of its sign-in; its ticket, if it still has one, is consumed. */
  async keep(tx: Transaction, { id, hasTicket, until, at }: KeptUntil): Promise<StoredFlow | undefined> {
    return (await tx.query(keepFlow, [id, hasTicket, until, at]))[0];
  }

  async remove(rows: Unscoped, id: string): Promise<void> {
    await rows.query(removeFlow, [id]);
  }

  async removeClaimed(rows: Unscoped, id: string): Promise<void> {
    await rows.query(removeClaimedFlow, [id]);
  }
}
