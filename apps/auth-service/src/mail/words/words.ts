import type { TemplateData, TemplateName } from '../letter.ts';

/** The text of a letter: its paragraphs, and an action for its reader, if any. */
export interface LetterWords {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** What the link is called. */
  readonly action?: string;
  /** Further instructions for making the request without a front end. */
  readonly hint?: string;
}

/** All letters in one language. */
export type Words = {
  readonly [Template in TemplateName]: (data: TemplateData[Template], moment: Moment) => LetterWords;
};

/** Formats an ISO 8601 time in the reader's language and time zone. */
export type Moment = (instant: string) => string;
