import { statement } from '@tenantry/tenancy';
import { theOne, type Rows, type Transaction } from '../database.ts';
import type { QuoteDocument } from '../quotes/quote-document.ts';

/** A contract as it is kept. */
export interface ContractRecord {
  readonly id: string;
  readonly quoteId: string;
  readonly document: QuoteDocument;
  /** SHA-256 of what was accepted. */
  readonly contentHash: Buffer;
  readonly createdBy: string;
  readonly createdAt: Date;
}

/** The contracts of the organization whose rows it is given. */
export interface ContractRepository {
  find(rows: Rows, quoteId: string): Promise<ContractRecord | undefined>;
  insert(tx: Transaction, contract: Omit<ContractRecord, 'id' | 'createdAt'>): Promise<ContractRecord>;
}

const columns = `id, quote_id AS "quoteId", document, content_hash AS "contentHash", created_by AS "createdBy",
  created_at AS "createdAt"`;

const contractOfQuote = statement<ContractRecord, [quoteId: string]>({
  name: 'contract-of-quote',
  text: `SELECT ${columns} FROM contracts WHERE organization_id = $1 AND quote_id = $2`,
});

const insertContract = statement<
  ContractRecord,
  [quoteId: string, document: QuoteDocument, contentHash: Buffer, createdBy: string]
>({
  name: 'contract-insert',
  text: `
    INSERT INTO contracts (organization_id, quote_id, document, content_hash, created_by) VALUES ($1, $2, $3, $4, $5)
    RETURNING ${columns}`,
});

/** Contracts in PostgreSQL. */
export function createContractRepository(): ContractRepository {
  return {
    async find(rows, quoteId) {
      const [found] = await rows.query(contractOfQuote, [quoteId]);
      return found;
    },

    insert: async (tx, { quoteId, document, contentHash, createdBy }) =>
      theOne(await tx.query(insertContract, [quoteId, document, contentHash, createdBy])),
  };
}
