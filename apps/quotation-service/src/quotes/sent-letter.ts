import type { Language } from '../wording/languages.ts';
import type { Quote } from './quote.ts';

/** The letter that accompanies a quote. */
export interface Letter {
  readonly recipientEmail: string;
  /** Several lines; empty for none. */
  readonly message: string;
  /** Chosen for this letter, and for the customer from then on. */
  readonly language?: Language | undefined;
}

/** A letter, and who sends it. */
export interface SentLetter extends Omit<Letter, 'language'> {
  /** Chosen for the customer; null or absent if not set. */
  readonly language?: Language | null;
  /** Absent in letters that were queued by earlier versions. */
  readonly senderId?: string;
}

/** Details of a letter in the trail: the language chosen for it. */
export const letterDetails = ({ language }: Letter) => language && { details: { language } };

/** A quote that was sent. */
export type SentQuote = Quote & { readonly sentAt: string };
