import type { Language } from '../wording/languages.ts';

/** What a mailed quote says beside what the seller wrote. */
export interface MailWords {
  readonly subject: (about: { number: string; seller: string; title: string }) => string;
  readonly intro: (about: { number: string; seller: string }) => string;
  readonly open: string;
  readonly attached: string;
  readonly notForOthers: string;
}

const english: MailWords = {
  subject: ({ number, seller, title }) => `Quote ${number}${seller && ` from ${seller}`}: ${title}`,
  intro: ({ number, seller }) =>
    seller ? `${seller} has sent you quote ${number}.` : `Here is quote ${number}.`,
  open: 'Read and answer the quote',
  attached: 'It is attached as a PDF as well.',
  notForOthers: 'The link is meant for you: anyone who has it can accept the quote.',
};

const swedish: MailWords = {
  subject: ({ number, seller, title }) => `Offert ${number}${seller && ` från ${seller}`}: ${title}`,
  intro: ({ number, seller }) =>
    seller ? `${seller} har skickat offert ${number} till dig.` : `Här är offert ${number}.`,
  open: 'Läs och besvara offerten',
  attached: 'Den är också bifogad som PDF.',
  notForOthers: 'Länken är till dig: den som har den kan godkänna offerten.',
};

const words: Readonly<Record<Language, MailWords>> = { en: english, sv: swedish };

/** The words of a language. */
export const mailWordsOf = (language: Language): MailWords => words[language];
