/**
 * Where a spreadsheet may recognize a formula: at the beginning of a cell, and after any character that may separate cells or
 * rows. Excel uses the separator of its locale, whatever the file has, and then ignores quotes too.
 */
const cellBegins = String.raw`(?<=^|[,;:|\t\r\n])`;
const formulaAhead = String.raw`(?=(?:[^\S\t\r\n]|['"])*[=+\-@\uff1d\uff0b\uff0d\uff20])`;
const unsafe = new RegExp(cellBegins + formulaAhead, 'g');
const madeSafe = new RegExp(`${cellBegins}'${formulaAhead}`, 'g');

/**
 * A cell that no spreadsheet executes: a quote precedes whatever could be taken for a formula, with any separator.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
export const safeCell = (text: string): string => text.replace(unsafe, "'");

/** The text behind a cell of {@link safeCell}. */
export const cellText = (cell: string): string => cell.replace(madeSafe, '');
