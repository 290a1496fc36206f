import type { Language } from '../wording/languages.ts';

/** Texts of an e-mail about a customer's decision. */
export interface AnswerWords {
  readonly accepted: (about: { number: string; title: string }) => string;
  readonly rejected: (about: { number: string; title: string }) => string;
  readonly signedBy: string;
  readonly reason: string;
  readonly open: string;
}

const english: AnswerWords = {
  accepted: ({ number, title }) => `Quote ${number} was accepted: ${title}`,
  rejected: ({ number, title }) => `Quote ${number} was declined: ${title}`,
  signedBy: 'Signed by',
  reason: 'Reason',
  open: 'Open the quote',
};

const swedish: AnswerWords = {
  accepted: ({ number, title }) => `Offert ${number} har godkänts: ${title}`,
  rejected: ({ number, title }) => `Offert ${number} har avböjts: ${title}`,
  signedBy: 'Undertecknad av',
  reason: 'Anledning',
  open: 'Öppna offerten',
};

const words: Readonly<Record<Language, AnswerWords>> = { en: english, sv: swedish };

/** The words of a language. */
export const answerWordsOf = (language: Language): AnswerWords => words[language];
