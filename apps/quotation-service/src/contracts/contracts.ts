import { quoteTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { Customers } from '../customers/customers.ts';
import type { Context, Rows, Tenant } from '../database.ts';
import type { Decision } from '../quotes/decision.ts';
import type { Decisions } from '../quotes/decisions.ts';
import { readAnyway, readWhole, type ReadLarge } from '../quotes/large-quotes.ts';
import type { LockedQuotes, QuoteTarget } from '../quotes/locked-quotes.ts';
import { contentHash } from '../quotes/quote-document.ts';
import type { Quotes } from '../quotes/quotes.ts';
import { contractNotFound, quoteNotAccepted } from './contracts.errors.ts';
import type { ContractRecord, ContractRepository, UnparsedContract } from './contracts.repository.ts';

/** A contract with its acceptance. */
export interface Contract extends ContractRecord {
  readonly acceptance: Decision;
}

/** The same as a thread parses it. */
export interface UnparsedAgreed extends UnparsedContract {
  readonly acceptance: Decision;
}

export interface ContractsOptions {
  readonly repository: ContractRepository;
  readonly locked: LockedQuotes;
  readonly customers: Pick<Customers, 'requireKept'>;
  readonly decisions: Pick<Decisions, 'find'>;
  readonly quotes: Pick<Quotes, 'document' | 'hasMoreLines'>;
  readonly audit: QuotationAudit;
}

/** Contracts of accepted quotes. */
export class Contracts {
  readonly #options: ContractsOptions;

  constructor(options: ContractsOptions) {
    this.#options = options;
  }

  /** Creates the single contract of an accepted quote, or returns the existing one. */
  conclude(
    { tenant, actor }: Context,
    target: QuoteTarget,
    readLarge: ReadLarge,
  ): Promise<{ contract: Contract; isNew: boolean }> {
    const { repository, locked, customers, decisions, quotes, audit } = this.#options;
    return locked.with(tenant, target, async (tx, quote) => {
      const { id, status } = quote;
      const known = await this.#find(tx, id, readLarge);
      if (known) return { contract: known, isNew: false };
      const acceptance = status === 'accepted' ? await decisions.find(tx, id) : undefined;
      if (!acceptance) throw quoteNotAccepted();
      await customers.requireKept(tx, quote);
      const document = await quotes.document(tx, id, readLarge);
      if (!(await contentHash(document)).equals(acceptance.contentHash)) {
        throw new Error(`the quote ${id} is not what was accepted`);
      }
      const contract = await repository.insert(tx, {
        quoteId: id,
        document,
        createdBy: actor.userId,
        contentHash: acceptance.contentHash,
      });
      const details = { contractId: contract.id };
      await audit.record(tx, { actor, action: 'contract.created', target: quoteTarget(quote), details });
      return { contract: { ...contract, acceptance }, isNew: true };
    });
  }

  async get(tenant: Tenant, quoteId: string, readLarge: ReadLarge): Promise<Contract> {
    const contract = await this.#find(tenant, quoteId, readLarge);
    if (!contract) throw contractNotFound();
    return contract;
  }

  /** The same for a thread to parse, if it has at most so many lines; otherwise 'too-large', without reading it. */
  async unparsed(
    tenant: Tenant,
    quoteId: string,
    { linesMax }: { readonly linesMax: number },
  ): Promise<UnparsedAgreed | 'too-large'> {
    const { repository, decisions, quotes } = this.#options;
    // A quote that has a contract does not change.
    if (await quotes.hasMoreLines(tenant, quoteId, linesMax)) return 'too-large';
    const find = (bytesMax: number) => repository.findUnparsed(tenant, quoteId, bytesMax);
    const contract = await readWhole(find, readAnyway);
    const acceptance = contract && (await decisions.find(tenant, quoteId));
    if (!acceptance) throw contractNotFound();
    return { ...contract, acceptance };
  }

  /** When the contract of a quote was created; null if there is none. */
  madeAt(tenant: Tenant, quoteId: string): Promise<string | null> {
    return this.#options.repository.madeAt(tenant, quoteId);
  }

  async #find(rows: Rows, quoteId: string, readLarge: ReadLarge): Promise<Contract | undefined> {
    const { repository, decisions } = this.#options;
    const contract = await readWhole((bytesMax) => repository.find(rows, quoteId, bytesMax), readLarge);
    if (!contract) return undefined;
    const acceptance = await decisions.find(rows, quoteId);
    return acceptance && { ...contract, acceptance };
  }
}
