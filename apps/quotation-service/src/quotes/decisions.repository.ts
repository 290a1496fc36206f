import { theOne } from '@tenantry/tenancy';
import { statement, type Rows, type Transaction } from '../database.ts';
import type { Decision } from './decision.ts';
import { columns, toQuote } from './quote-rows.ts';
import type { Quote } from './quote.ts';

const decisionOfQuote = statement({
  name: 'quote-decision',
  times: 'dates',
  text: `
    SELECT decision, decided_at AS "decidedAt", user_id AS "userId", name, reason, host(ip_address) AS "ipAddress",
      user_agent AS "userAgent", content_hash AS "contentHash"
    FROM quote_decisions WHERE organization_id = $1 AND quote_id = $2`,
});

const insertDecision = statement({
  name: 'quote-decision-insert',
  text: `
    INSERT INTO quote_decisions (organization_id, quote_id, decision, decided_at, user_id, name, reason, ip_address,
      user_agent, content_hash)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
});

const moveQuote = statement({
  name: 'quote-decide',
  text: `
    UPDATE quotes SET status = $3
    WHERE organization_id = $1 AND id = $2 AND status = 'sent' AND superseded_by IS NULL RETURNING ${columns}`,
});

/** Stores decisions on quotes. */
export class DecisionRepository {
  async find(rows: Rows, quoteId: string): Promise<Decision | undefined> {
    const [found] = await rows.query(decisionOfQuote, [quoteId]);
    return found;
  }

  /** Stores a decision, and moves the sent quote. */
  async insert(tx: Transaction, quoteId: string, decided: Decision): Promise<Quote> {
    const { decision, decidedAt, userId, name, reason, ipAddress, userAgent, contentHash } = decided;
    const who = [userId, name, reason, ipAddress, userAgent] as const;
    await tx.query(insertDecision, [quoteId, decision, decidedAt, ...who, contentHash]);
    return toQuote(theOne(await tx.query(moveQuote, [quoteId, decision])));
  }
}
