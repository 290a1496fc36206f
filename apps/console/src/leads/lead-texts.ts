import type { api } from '@tenantry/client';

/** The name of a text of a lead. */
export type LeadText = keyof api.NewLead;

/** How a text is typed, and how files name it. */
interface TextKind {
  readonly kind: 'text' | 'email' | 'tel' | 'lines';
  /** In characters. */
  readonly lengthMax: number;
  readonly isOptional: boolean;
  /** What people call its column, in English and Swedish; without marks and blanks. */
  readonly columns: readonly string[];
}

interface AsTheService<Name extends LeadText> {
  readonly isOptional: undefined extends api.NewLead[Name] ? true : false;
}

/**
 * The texts that a lead is made of, in the order in which they are shown, typed and written to files: one that the service knows
 * and this table does not, or one without a label, does not compile.
 */
const kinds: { readonly [Name in LeadText]-?: TextKind & AsTheService<Name> } = {
  name: {
    kind: 'text',
    lengthMax: 100,
    isOptional: false,
    columns: ['name', 'fullname', 'contact', 'customer', 'company', 'namn', 'kontakt', 'kund', 'foretag'],
  },
  email: {
    kind: 'email',
    lengthMax: 254,
    isOptional: false,
    columns: ['email', 'mail', 'emailaddress', 'epost', 'epostadress', 'mejl'],
  },
  phone: {
    kind: 'tel',
    lengthMax: 20,
    isOptional: true,
    columns: [
      ...['phone', 'phonenumber', 'telephone', 'mobile', 'cell'],
      ...['telefon', 'telefonnummer', 'mobil', 'tel'],
    ],
  },
  source: {
    kind: 'text',
    lengthMax: 50,
    isOptional: true,
    columns: ['source', 'origin', 'channel', 'kalla', 'ursprung', 'kanal'],
  },
  notes: {
    kind: 'lines',
    lengthMax: 2000,
    isOptional: true,
    columns: [
      ...['notes', 'note', 'comment', 'comments'],
      ...['anteckningar', 'anteckning', 'kommentar', 'ovrigt'],
    ],
  },
};

export const textKinds: Readonly<Record<LeadText, TextKind>> = kinds;
export const leadTexts = Object.keys(kinds) as readonly LeadText[];
