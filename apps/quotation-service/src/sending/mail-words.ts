import type { Language } from '../wording/languages.ts';

type About = { readonly number: string; readonly seller: string; readonly title: string };

const english = {
  subject: ({ number, seller, title }: About) => `Quote ${number}${seller && ` from ${seller}`}: ${title}`,
  intro: ({ number, seller }: Omit<About, 'title'>) =>
    seller ? `${seller} has sent you quote ${number}.` : `Here is quote ${number}.`,
  open: 'Read and answer the quote',
  attached: 'It is attached as a PDF as well.',
  notForOthers: 'The link is meant for you: anyone who has it can accept the quote.',
};

/** What a mailed quote says beside what the seller wrote. */
export type MailWords = typeof english;

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
