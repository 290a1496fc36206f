/**
 * Visible characters: no blanks, no default-ignorable code points of Unicode (zero-width spaces and joiners, fillers, direction
 * marks, tags), no combining marks without a letter, no blanks of Braille or musical notation, no object placeholder.
 */
const ink = /[^\p{Z}\p{Cc}\p{DI}\p{M}\u{2800}\u{1d159}\u{fffc}]/u;

/** Whether any part of a text is visible. */
export const isVisible = (text: string): boolean => ink.test(text);

/** More marks than any script puts on one letter: UAX #15, Stream-Safe Text Format. */
const tooManyMarks = /\p{M}{31}/u;

/**
 * A text in Unicode's composed form (NFC), so that the same word has the same bytes, however it was typed. One with more than
 * 30 marks in a row stays as it is: to put them in order takes time that grows with their square.
 */
export const composed = (text: string): string => (tooManyMarks.test(text) ? text : text.normalize('NFC'));
