import { theOne } from '@tenantry/tenancy';
import { statement, type Rows, type Transaction } from '../database.ts';
import { packagesInTurns, packagesOf } from '../quotes/in-turns.ts';
import { packageJson } from '../quotes/quote-rows.ts';
import type { DocumentHead, QuoteDocument, UnparsedDocument } from '../quotes/quote-document.ts';

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

/** A contract whose packages are JSON, for a thread to parse. */
export interface UnparsedContract extends Omit<ContractRecord, 'document'> {
  readonly document: UnparsedDocument;
}

// A row for each package, so that no value is large.
const contractOfQuote = statement({
  name: 'contract-of-quote',
  text: `
    SELECT id, quote_id AS "quoteId", document - 'workPackages' AS document, fits, package AS "workPackage",
      content_hash AS "contentHash", created_by AS "createdBy", created_at AS "createdAt"
    FROM contracts CROSS JOIN LATERAL (SELECT octet_length(document::text) <= $3 AS fits OFFSET 0) AS content
      LEFT JOIN LATERAL (
        SELECT element::text, position
        FROM jsonb_array_elements(CASE WHEN fits THEN document -> 'workPackages' END)
          WITH ORDINALITY AS elements (element, position)
      ) AS packages (package, place) ON true
    WHERE organization_id = $1 AND quote_id = $2 ORDER BY place`,
});

const contractMadeAt = statement({
  name: 'contract-made-at',
  text: 'SELECT created_at AS "createdAt" FROM contracts WHERE organization_id = $1 AND quote_id = $2',
});

// Its packages do not come and go between PostgreSQL and here: an accepted quote does not change.
const insertContract = statement({
  name: 'contract-insert',
  text: `
    INSERT INTO contracts (organization_id, quote_id, document, content_hash, created_by)
    VALUES ($1, $2, $3::jsonb || jsonb_build_object('workPackages', coalesce((
      SELECT jsonb_agg(${packageJson} ORDER BY p.position, p.id)
      FROM work_packages p WHERE p.organization_id = $1 AND p.quote_id = $2
    ), '[]')), $4, $5)
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
    const found = await this.findUnparsed(rows, quoteId, bytesMax);
    if (found === undefined || found === 'too-large') return found;
    const { head, packages } = found.document;
    return { ...found, document: { ...head, workPackages: await packagesInTurns(packages) } };
  }

  /** The same with its packages as JSON. */
  async findUnparsed(
    rows: Rows,
    quoteId: string,
    bytesMax: number,
  ): Promise<UnparsedContract | 'too-large' | undefined> {
    const found = await rows.query(contractOfQuote, [quoteId, bytesMax]);
    const [row] = found;
    if (!row) return undefined;
    const { document: head, fits, workPackage: first, ...contract } = row;
    if (!fits) return 'too-large';
    const packages = first === null ? [] : packagesOf(found);
    return { ...contract, document: { head: head as DocumentHead, packages } };
  }

  /** When the contract of a quote was created; null if there is none. */
  async madeAt(rows: Rows, quoteId: string): Promise<string | null> {
    const [found] = await rows.query(contractMadeAt, [quoteId]);
    return found?.createdAt ?? null;
  }

  /** Stores the contract of a locked quote. */
  async insert(tx: Transaction, contract: Omit<ContractRecord, 'id' | 'createdAt'>): Promise<ContractRecord> {
    const { quoteId, document, contentHash, createdBy } = contract;
    const values = [quoteId, { ...document, workPackages: undefined }, contentHash, createdBy] as const;
    return { ...contract, ...theOne(await tx.query(insertContract, values)) };
  }
}
