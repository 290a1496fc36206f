/** A text as part of one line of a letter, as names and titles may hold line breaks of another service. */
export const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
