/** A text on one line, since names and titles from another service may contain line breaks. */
export const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
