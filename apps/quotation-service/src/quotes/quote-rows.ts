import type { Statements } from '../statements.types.ts';
import type { Quote, SenderThen } from './quote.ts';

/** The condition of the quotes of an organization that are not deleted. */
export const live = 'organization_id = $1 AND deleted_at IS NULL';

/** The row of a {@link Quote}. Amounts have at most 15 digits, which a float8 represents exactly. */
export const columns = `id, number, revision, customer_id AS "customerId", customer_name AS "customerName",
  customer_email AS "customerEmail", customer_address AS "customerAddress",
  customer_vat_number AS "customerVatNumber", title, description, currency, vat_rate::float8 AS "vatRate",
  vat_exemption_reason AS "vatExemptionReason", subtotal::float8 AS subtotal, vat_amount::float8 AS "vatAmount",
  total_amount::float8 AS "totalAmount", status, valid_until AS "validUntil", sent_at AS "sentAt", sent_by AS "sentBy", seller,
  CASE WHEN text_version = version THEN text_bytes END AS "textBytes", superseded_by AS "supersededBy", version, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Bytes of a line's JSON without its texts, and of a package's. */
const overhead = 200;

/** The approximate size of the JSON of all packages of a quote. */
export const contentBytes = `(
  SELECT coalesce(sum(${overhead} + octet_length(p.name) + octet_length(p.description)), 0)
  FROM work_packages p WHERE p.organization_id = $1 AND p.quote_id = $2
) + (
  SELECT coalesce(sum(${overhead} + octet_length(i.article_number) + octet_length(i.description) + octet_length(i.unit)), 0)
  FROM line_items i WHERE i.organization_id = $1 AND i.quote_id = $2
)`;

/** A row of `work_packages p` with its lines, as JSON. */
export const packageJson = `json_build_object('id', p.id, 'name', p.name, 'description', p.description, 'subtotal', p.subtotal,
    'items', coalesce((
      SELECT json_agg(json_build_object('id', i.id, 'articleNumber', i.article_number, 'description', i.description,
        'quantity', i.quantity, 'unit', i.unit, 'unitPrice', i.unit_price, 'totalPrice', i.total_price)
        ORDER BY i.position, i.id)
      FROM line_items i WHERE i.organization_id = $1 AND i.quote_id = $2 AND i.work_package_id = p.id
    ), '[]'))`;

/** The quote of a row. */
export const toQuote = (row: Statements['quote-head']['row']): Quote => ({
  ...row,
  seller: row.seller as SenderThen | null,
});
