import { theOne } from '@tenantry/tenancy';
import { statement, type Rows, type Transaction } from '../database.ts';
import { jsonInTurns, parseInTurns } from '../quotes/in-turns.ts';
import type { WorkPackage } from '../quotes/quote.ts';
import type { DocumentHead, QuoteDocument } from '../quotes/quote-document.ts';

/** A stored contract. */
export interface ContractRecord {
  readonly id: string;
  readonly quoteId: string;
  readonly document: QuoteDocument;
  /** SHA-256 of what was accepted. */
  readonly contentHash: Buffer;
  readonly createdBy: string;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
}

const contractOfQuote = statement({
  name: 'contract-of-quote',
  text: `
    SELECT id, quote_id AS "quoteId", document - 'workPackages' AS document, CASE WHEN octet_length(document::text) <= $3 THEN
        (SELECT coalesce(string_agg(package::text, chr(30) ORDER BY place), '')
        FROM jsonb_array_elements(document -> 'workPackages') WITH ORDINALITY AS packages (package, place)) END AS "workPackages",
      content_hash AS "contentHash", created_by AS "createdBy", created_at AS "createdAt"
    FROM contracts WHERE organization_id = $1 AND quote_id = $2`,
});

const contractMadeAt = statement({
  name: 'contract-made-at',
  text: 'SELECT created_at AS "createdAt" FROM contracts WHERE organization_id = $1 AND quote_id = $2',
});

const insertContract = statement({
  name: 'contract-insert',
  text: `
    INSERT INTO contracts (organization_id, quote_id, document, content_hash, created_by) VALUES ($1, $2, $3, $4, $5)
    RETURNING id, created_at AS "createdAt"`,
});

/** The contracts of an organization. */
export class ContractRepository {
  /** The contract of a quote; 'too-large' if its JSON exceeds the given size. */
  async find(
    rows: Rows,
    quoteId: string,
    bytesMax: number,
  ): Promise<ContractRecord | 'too-large' | undefined> {
    const [found] = await rows.query(contractOfQuote, [quoteId, bytesMax]);
    if (!found) return undefined;
    const { document: head, workPackages: packages, ...contract } = found;
    if (packages === null) return 'too-large';
    const workPackages = await parseInTurns<WorkPackage>(packages);
    return { ...contract, document: { ...(head as DocumentHead), workPackages } };
  }

  /** When the contract of a quote was created; null if there is none. */
  async madeAt(rows: Rows, quoteId: string): Promise<string | null> {
    const [found] = await rows.query(contractMadeAt, [quoteId]);
    return found?.createdAt ?? null;
  }

  async insert(tx: Transaction, contract: Omit<ContractRecord, 'id' | 'createdAt'>): Promise<ContractRecord> {
    const { quoteId, document, contentHash, createdBy } = contract;
    const values = [quoteId, await jsonInTurns(document), contentHash, createdBy] as const;
    return { ...contract, ...theOne(await tx.query(insertContract, values)) };
  }
}
