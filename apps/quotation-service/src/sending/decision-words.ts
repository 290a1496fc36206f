import type { Language } from '../wording/languages.ts';

type About = { readonly number: string; readonly title: string };

const english = {
  accepted: ({ number, title }: About) => `Quote ${number} was accepted: ${title}`,
  rejected: ({ number, title }: About) => `Quote ${number} was declined: ${title}`,
  signedBy: 'Signed by',
  reason: 'Reason',
  open: 'Open the quote',
};

/** Texts of an e-mail about a customer's decision. */
export type DecisionWords = typeof english;

const swedish: DecisionWords = {
  accepted: ({ number, title }) => `Offert ${number} har godkänts: ${title}`,
  rejected: ({ number, title }) => `Offert ${number} har avböjts: ${title}`,
  signedBy: 'Undertecknad av',
  reason: 'Anledning',
  open: 'Öppna offerten',
};

const words: Readonly<Record<Language, DecisionWords>> = { en: english, sv: swedish };

/** The words of a language. */
export const decisionWordsOf = (language: Language): DecisionWords => words[language];
