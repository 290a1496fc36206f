import type { api } from '@tenantry/client';

/** The name of a text of a lead. */
export type LeadText = keyof api.NewLead;

/** How a text is typed. */
interface TextKind {
  readonly kind: 'text' | 'email' | 'tel' | 'lines';
  readonly isOptional: boolean;
}

interface AsTheService<Name extends LeadText> {
  readonly isOptional: undefined extends api.NewLead[Name] ? true : false;
}

/**
 * The texts that a lead is made of, in the order in which they are shown, typed and written to files: one that the service knows
 * and this table does not, or one without a label, does not compile.
 */
const kinds: { readonly [Name in LeadText]-?: TextKind & AsTheService<Name> } = {
  name: { kind: 'text', isOptional: false },
  email: { kind: 'email', isOptional: false },
  phone: { kind: 'tel', isOptional: true },
  source: { kind: 'text', isOptional: true },
  notes: { kind: 'lines', isOptional: true },
};

export const textKinds: Readonly<Record<LeadText, TextKind>> = kinds;
export const leadTexts = Object.keys(kinds) as readonly LeadText[];
