import { hasForeignLocalPart, readEmail } from '@tenantry/text';
import { leadTexts, textKinds, type LeadText } from '../lead-texts.ts';

/** A lead as a row has it; what is blank is left out. */
export type ImportedLead = Readonly<Partial<Record<LeadText, string>>>;

/** What is wrong with a field, by the rule of the service. */
export interface Finding {
  readonly field: LeadText;
  readonly rule: 'required' | 'text' | 'storable' | 'maxLength' | 'format' | 'localPart';
  readonly limit?: number;
}

/** Anything that leaves ink. */
const ink = /[^\p{Z}\p{Cc}\p{DI}\p{M}\u{2800}\u{1d159}\u{fffc}]/u;
const controls = /\p{Cc}/u;
const controlsInLines = /(?![\t\n\r])\p{Cc}/u;

/** Texts in their stored form; blank ones are left out. */
export function tidied(cells: ImportedLead): ImportedLead {
  const kept = leadTexts.flatMap((field) => {
    const { kind } = textKinds[field];
    // Programs end lines in three ways; one of them is kept.
    const trimmed = (cells[field] ?? '').trim().replaceAll(/\r\n?/g, kind === 'lines' ? '\n' : '$&');
    // To compose an address would make ASCII of U+212A.
    return ink.test(trimmed) ? [[field, kind === 'email' ? trimmed : trimmed.normalize('NFC')] as const] : [];
  });
  return Object.fromEntries(kept);
}

/** The findings about a lead, as the service would return them. */
export function findingsIn(lead: ImportedLead): Finding[] {
  return leadTexts.flatMap((field): Finding[] => {
    const text = lead[field];
    const { kind, isOptional, lengthMax: limit } = textKinds[field];
    if (text === undefined) return isOptional ? [] : [{ field, rule: 'required' }];
    if (kind === 'email') return emailFindingsIn(text);
    if (!text.isWellFormed()) return [{ field, rule: 'storable' }];
    if ((kind === 'lines' ? controlsInLines : controls).test(text)) return [{ field, rule: 'text' }];
    return Array.from(text).length > limit ? [{ field, rule: 'maxLength', limit }] : [];
  });
}

function emailFindingsIn(text: string): Finding[] {
  if (readEmail(text) !== undefined) return [];
  return [{ field: 'email', rule: hasForeignLocalPart(text) ? 'localPart' : 'format' }];
}
