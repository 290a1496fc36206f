import type { Language } from '../wording/languages.ts';

type About = { readonly number: string; readonly title: string };
type Sent = { readonly number: string; readonly seller: string };

const english = {
  /** Of the letter with a quote, beside what the seller wrote. */
  letter: {
    subject: ({ number, seller, title }: About & Sent) =>
      `Quote ${number}${seller && ` from ${seller}`}: ${title}`,
    intro: ({ number, seller }: Sent) =>
      seller ? `${seller} has sent you quote ${number}.` : `Here is quote ${number}.`,
    open: 'Read and answer the quote',
    attached: 'It is attached as a PDF as well.',
    notForOthers: 'The link is meant for you: anyone who has it can accept the quote.',
  },
  /** Of the notice of a customer's decision. */
  notice: {
    accepted: ({ number, title }: About) => `Quote ${number} was accepted: ${title}`,
    rejected: ({ number, title }: About) => `Quote ${number} was declined: ${title}`,
    signedBy: 'Signed by',
    reason: 'Reason',
    open: 'Open the quote',
  },
};

const swedish: typeof english = {
  letter: {
    subject: ({ number, seller, title }) => `Offert ${number}${seller && ` från ${seller}`}: ${title}`,
    intro: ({ number, seller }) =>
      seller ? `${seller} har skickat offert ${number} till dig.` : `Här är offert ${number}.`,
    open: 'Läs och besvara offerten',
    attached: 'Den är också bifogad som PDF.',
    notForOthers: 'Länken är till dig: den som har den kan godkänna offerten.',
  },
  notice: {
    accepted: ({ number, title }) => `Offert ${number} har godkänts: ${title}`,
    rejected: ({ number, title }) => `Offert ${number} har avböjts: ${title}`,
    signedBy: 'Undertecknad av',
    reason: 'Anledning',
    open: 'Öppna offerten',
  },
};

/** The texts of mails in each language. */
export const mailWords: Readonly<Record<Language, typeof english>> = { en: english, sv: swedish };
