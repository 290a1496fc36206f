import type { Language } from '../wording/languages.ts';
import type { Quote } from './quote.ts';

/** What goes to the customer beside the quote. */
export interface Letter {
  readonly recipientEmail: string;
  /** Several lines; empty for none. */
  readonly message: string;
  /** Chosen for this letter, and for the customer from then on. */
  readonly language?: Language | undefined;
}

/** A letter, and who sends it. */
export interface SentLetter extends Omit<Letter, 'language'> {
  /** Chosen for the customer; null, or not kept, where nobody has. */
  readonly language?: Language | null;
  /** Not kept of letters that were put before it was. */
  readonly senderId?: string;
}

/** What the trail says of a letter: the language that was chosen with it. */
export const letterDetails = ({ language }: Letter) => language && { details: { language } };

/** A quote that was sent. */
export type SentQuote = Quote & { readonly sentAt: string };
