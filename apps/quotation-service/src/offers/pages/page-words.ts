import type { Language } from '../../wording/languages.ts';

const english = {
  toAnswer: 'Accept or decline',
  downloadPdf: 'Download PDF',
  answerHeading: 'Your answer',
  acceptLead: (total: string) => `You accept the quote as shown on this page, for ${total} in total.`,
  name: 'Your name',
  nameHint: 'First and last name of the person who accepts.',
  accept: 'Accept the quote',
  decline: 'Decline the quote',
  reason: 'Reason (optional)',
  declineNow: 'Decline',
  accepted: (name: string, day: string) => (name ? `Accepted by ${name} on ${day}` : `Accepted on ${day}`),
  acceptedText: 'Thank you. Your answer is recorded, and there is nothing more to do here.',
  rejected: (day: string) => `Declined on ${day}`,
  rejectedText: 'Your answer is recorded. If you have changed your mind, ask the seller for a new quote.',
  expired: (day: string) => `This quote was valid until ${day}`,
  expiredText: 'It can no longer be accepted. Ask the seller for a new one.',
  superseded: 'A newer version replaces this quote',
  supersededText:
    'This version can no longer be accepted. Use the link in the latest e-mail from the seller.',
  nameMissing: 'Enter your name.',
  tooLong: 'This text is too long.',
  unknown: 'This link does not work',
  unknownText: 'Check that the address is complete, or ask the sender for a new link.',
  unavailable: 'Please try again in a moment',
  unavailableText: 'The quote cannot be shown right now. Nothing is lost.',
};

/** Texts of the customer's page, in addition to those that it shares with the PDF. */
export type PageWords = typeof english;

const swedish: PageWords = {
  toAnswer: 'Godkänn eller avböj',
  downloadPdf: 'Ladda ner PDF',
  answerHeading: 'Ditt svar',
  acceptLead: (total) => `Du godkänner offerten så som den visas på sidan, totalt ${total}.`,
  name: 'Ditt namn',
  nameHint: 'För- och efternamn på den som godkänner.',
  accept: 'Godkänn offerten',
  decline: 'Avböj offerten',
  reason: 'Anledning (frivilligt)',
  declineNow: 'Avböj',
  accepted: (name, day) => (name ? `Godkänd av ${name} den ${day}` : `Godkänd den ${day}`),
  acceptedText: 'Tack. Ditt svar är registrerat, och du behöver inte göra något mer här.',
  rejected: (day) => `Avböjd den ${day}`,
  rejectedText: 'Ditt svar är registrerat. Har du ändrat dig kan du be säljaren om en ny offert.',
  expired: (day) => `Offerten gällde till och med ${day}`,
  expiredText: 'Den kan inte längre godkännas. Be säljaren om en ny.',
  superseded: 'Offerten har ersatts av en nyare version',
  supersededText: 'Den här versionen kan inte längre godkännas. Använd länken i säljarens senaste mejl.',
  nameMissing: 'Fyll i ditt namn.',
  tooLong: 'Texten är för lång.',
  unknown: 'Länken fungerar inte',
  unknownText: 'Kontrollera att adressen är fullständig, eller be avsändaren om en ny länk.',
  unavailable: 'Försök igen om en stund',
  unavailableText: 'Offerten kan inte visas just nu. Inget har gått förlorat.',
};

const words: Readonly<Record<Language, PageWords>> = { en: english, sv: swedish };

/** The words of a language. */
export const pageWordsOf = (language: Language): PageWords => words[language];
