import { tidyVatNumber } from '@tenantry/service/resources';
import { fieldsOf, type FileNoun } from '@tenantry/tables';
import { composed, readEmail } from '@tenantry/text';
import { checkBy } from '@tenantry/service/validation';
import { NewCustomerSchema } from '../customers/customers.schemas.ts';

/** The fields of a customer that files have. */
export const customerFileFields = ['name', 'email', 'address', 'vatNumber'] as const;
export type CustomerFileField = (typeof customerFileFields)[number];

const addressLengthMax = 400;

function keptVatNumber(text: string): string | undefined {
  try {
    return tidyVatNumber(text, 'vatNumber');
  } catch {
    return undefined;
  }
}

/** Customers have no notes: a value that does not fit is left out of its row, and reported with it. */
export const customerFields = fieldsOf(
  customerFileFields,
  {
    vatNumber: `vatnumber vatno vatid vat vatregistrationnumber vatregno taxid taxnumber momsnummer momsnr momsreg momsregnr
      momsregistreringsnummer vatnummer vatnr momsregnummer euvat cvr cvrnummer mvanummer orgnrmva alvnumero alvtunniste
      ustidnr ustid umsatzsteuerid umsatzsteueridentifikationsnummer uid uidnummer btwnummer btwnr btwidentificatienummer
      numerotva tva numerodetva tvaintracommunautaire numerodeiva nif nifiva cif partitaiva piva numerodivat nipvat numernip nip`,
  },
  {
    kept: {
      email: (text) => (readEmail(text) === undefined ? undefined : text),
      address: (text) => (Array.from(composed(text)).length <= addressLengthMax ? text : undefined),
      vatNumber: keptVatNumber,
    },
  },
);

/** How rows become customers. */
export const customerFiles: FileNoun<CustomerFileField> = {
  fields: customerFields,
  check: checkBy(NewCustomerSchema, 'row'),
  // Of the archive of an organization.
  exported: ['id', 'name', 'email', 'address', 'vatNumber', 'language', 'createdAt'],
};
