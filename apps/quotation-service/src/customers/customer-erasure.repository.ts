import { models, statement, type Transaction } from '../database.ts';

/** Quotes per batch: each may have a contract of a megabyte. */
const batchSize = 100;

const eraseCustomer = statement({
  name: 'customer-erase',
  text: `
    UPDATE customers SET name = '', email = NULL, address = NULL, vat_number = NULL, language = NULL,
      erased_at = clock_timestamp()
    WHERE organization_id = $1 AND id = $2`,
});

const lockQuotes = statement({
  name: 'customer-erase-lock-quotes',
  text: `
    SELECT id FROM quotes WHERE organization_id = $1 AND customer_id = $2 AND id > $3
    ORDER BY id LIMIT ${batchSize} FOR NO KEY UPDATE`,
});

const ofQuotes = 'organization_id = $1 AND quote_id = ANY ($2::uuid[])';

// Links are deleted before decisions are changed: a link that no longer works cannot bring a new decision.
const takings = [
  ['links', `DELETE FROM quote_links WHERE ${ofQuotes}`],
  [
    'letters',
    `DELETE FROM outbox WHERE organization_id = $1 AND subject_id = ANY ($2::uuid[]) AND topic = 'quote-mail'`,
  ],
  [
    'quotes',
    `UPDATE quotes SET customer_name = '', customer_email = NULL, customer_address = NULL, customer_vat_number = NULL
     WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND (customer_name <> ''
       OR customer_email IS NOT NULL OR customer_address IS NOT NULL OR customer_vat_number IS NOT NULL)`,
  ],
  [
    // If the seller decided, it is the seller's address.
    'decisions',
    `UPDATE quote_decisions SET is_erased = true, name = NULL, reason = NULL,
       ip_address = CASE WHEN user_id IS NOT NULL THEN ip_address END,
       user_agent = CASE WHEN user_id IS NOT NULL THEN user_agent END
     WHERE ${ofQuotes} AND NOT is_erased`,
  ],
  [
    'contracts',
    `UPDATE contracts SET document = document || jsonb_build_object('customer',
       (document -> 'customer' || '{"name": "", "email": null}') - 'address' - 'vatNumber')
     WHERE ${ofQuotes}`,
  ],
].map(([what, text = '']) =>
  statement({ name: `customer-erase-${what}`, like: 'customer-erase-from-quotes', text }),
);

const beforeAll = '00000000-0000-0000-0000-000000000000';

/** Erases customers, and text that they wrote, from an organization. */
export class CustomerErasureRepository {
  /** Removes what is known of a locked customer; its id is no longer found, and not reused. */
  async erase(tx: Transaction, id: string): Promise<void> {
    await tx.query(eraseCustomer, [id]);
  }

  /**
   * Erases a customer from a batch of its quotes, in the order of their ids: names, letters, links, and the decider's name and
   * address.
   *
   * @param after the last quote of the batch before
   * @returns the last one of this batch; undefined when it is the last batch
   */
  async eraseFromQuotes(tx: Transaction, id: string, after: string = beforeAll): Promise<string | undefined> {
    const quotes = await tx.query(lockQuotes, [id, after]);
    const ids = quotes.map((quote) => quote.id);
    for (const taking of takings) await tx.query(taking, [ids]);
    return quotes.length < batchSize ? undefined : ids.at(-1);
  }

  /** Deletes stored responses of idempotent requests that contain the customer. */
  async forgetResponses(tx: Transaction, id: string): Promise<void> {
    await models(tx).idempotencyKey.deleteMany({ where: { body: { contains: id } } });
  }
}
