import { statement, type Transaction } from '../database.ts';

/** Quotes of a batch: each may have a contract of a megabyte. */
const batchSize = 100;

const eraseCustomer = statement({
  name: 'customer-erase',
  text: `
    UPDATE customers SET name = '', email = NULL, language = NULL, erased_at = clock_timestamp()
    WHERE organization_id = $1 AND id = $2`,
});

const lockQuotes = statement({
  name: 'customer-erase-lock-quotes',
  text: `
    SELECT id FROM quotes WHERE organization_id = $1 AND customer_id = $2 AND id > $3
    ORDER BY id LIMIT ${batchSize} FOR NO KEY UPDATE`,
});

const ofQuotes = 'organization_id = $1 AND quote_id = ANY ($2::uuid[])';

// What is sent away is deleted before the decisions on it are changed: a link that opens nothing brings no new one.
const takings = [
  ['links', `DELETE FROM quote_links WHERE ${ofQuotes}`],
  [
    'letters',
    `DELETE FROM outbox WHERE organization_id = $1 AND subject_id = ANY ($2::uuid[]) AND topic = 'quote-mail'`,
  ],
  [
    'quotes',
    `UPDATE quotes SET customer_name = '', customer_email = NULL
     WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND (customer_name <> '' OR customer_email IS NOT NULL)`,
  ],
  [
    // Where the seller decided, it is the seller's address.
    'decisions',
    `UPDATE quote_decisions SET is_erased = true, name = NULL, reason = NULL,
       ip_address = CASE WHEN user_id IS NOT NULL THEN ip_address END,
       user_agent = CASE WHEN user_id IS NOT NULL THEN user_agent END
     WHERE ${ofQuotes} AND NOT is_erased`,
  ],
  [
    'contracts',
    `UPDATE contracts SET document = document || jsonb_build_object('customer',
       document -> 'customer' || '{"name": "", "email": null}')
     WHERE ${ofQuotes}`,
  ],
].map(([what, text = '']) =>
  statement({ name: `customer-erase-${what}`, like: 'customer-erase-from-quotes', text }),
);

const beforeAll = '00000000-0000-0000-0000-000000000000';

/** Erases customers, and what they wrote, from an organization. */
export class CustomerErasureRepository {
  /** Takes name and address from a customer that is locked; its id is known no more, and not given again. */
  async erase(tx: Transaction, id: string): Promise<void> {
    await tx.query(eraseCustomer, [id]);
  }

  /**
   * Takes an erased customer out of a batch of its quotes, in the order of their ids: names, letters, links, and who
   * decided from where.
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

  /** Deletes the answers that are kept for requests sent again, where they hold the customer. */
  async forgetAnswers({ prisma }: Transaction, id: string): Promise<void> {
    await prisma.idempotencyKey.deleteMany({ where: { body: { contains: id } } });
  }
}
