import { hasForeignLocalPart, readEmail } from '@tenantry/text';

/** The fields of a lead, in the order of a file. */
export const importedFields = ['name', 'email', 'phone', 'source', 'notes'] as const;
export type ImportedField = (typeof importedFields)[number];

/** A lead as a row has it; what is blank is left out. */
export type ImportedLead = Readonly<Partial<Record<ImportedField, string>>>;

/** What is wrong with a field, by the rule of the service. */
export interface Finding {
  readonly field: ImportedField;
  readonly rule: 'required' | 'text' | 'storable' | 'maxLength' | 'format' | 'localPart';
  readonly limit?: number;
}

const limits = { name: 100, email: 254, phone: 20, source: 50, notes: 2000 } as const;
const required: readonly ImportedField[] = ['name', 'email'];

/** Anything that leaves ink. */
const ink = /[^\p{Z}\p{Cc}\p{DI}\p{M}\u{2800}\u{1d159}\u{fffc}]/u;
const controls = /\p{Cc}/u;
const controlsInLines = /(?![\t\n\r])\p{Cc}/u;

/** Texts in their stored form; blank ones are left out. */
export function tidied(cells: ImportedLead): ImportedLead {
  const kept = Object.entries(cells).flatMap(([field, text]) => {
    // Programs end lines in three ways; one of them is kept.
    const trimmed = text.trim().replaceAll(/\r\n?/g, field === 'notes' ? '\n' : '$&');
    // To compose an address would make ASCII of U+212A.
    return ink.test(trimmed)
      ? [[field, field === 'email' ? trimmed : trimmed.normalize('NFC')] as const]
      : [];
  });
  return Object.fromEntries(kept);
}

/** The findings about a lead, as the service would return them. */
export function findingsIn(lead: ImportedLead): Finding[] {
  return importedFields.flatMap((field): Finding[] => {
    const text = lead[field];
    if (text === undefined) return required.includes(field) ? [{ field, rule: 'required' }] : [];
    if (field === 'email') return emailFindingsIn(text);
    if (!text.isWellFormed()) return [{ field, rule: 'storable' }];
    if ((field === 'notes' ? controlsInLines : controls).test(text)) return [{ field, rule: 'text' }];
    const limit = limits[field];
    return Array.from(text).length > limit ? [{ field, rule: 'maxLength', limit }] : [];
  });
}

function emailFindingsIn(text: string): Finding[] {
  if (readEmail(text) !== undefined) return [];
  return [{ field: 'email', rule: hasForeignLocalPart(text) ? 'localPart' : 'format' }];
}
