import type { TemplateData, TemplateName } from '../letter.ts';

/** What a letter says: its paragraphs, and what its reader is asked to do, if anything. */
export interface LetterWords {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** What the link is called. */
  readonly action?: string;
  /** What else a person must know who makes the request without a front end. */
  readonly hint?: string;
}

/** All letters in one language. */
export type Words = {
  readonly [Template in TemplateName]: (data: TemplateData[Template], moment: Moment) => LetterWords;
};

/** Writes a moment down, ISO 8601, as the reader's language and time zone have it. */
export type Moment = (instant: string) => string;
