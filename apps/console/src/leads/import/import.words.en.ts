import type { Separator } from './csv.ts';

const rows = (count: number, number: string): string => `${number} ${count === 1 ? 'row' : 'rows'}`;

const separators: Readonly<Record<Separator, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab' };

/** What is said about imports: other languages say the same. */
export const words = {
  title: 'Import leads',
  back: 'Back to the leads',
  choose: {
    title: 'Choose a file',
    text: 'A CSV or text file, or rows copied from a spreadsheet. Nothing is sent before you have checked it.',
    file: 'File',
    paste: 'Or paste rows here',
    drop: 'You can also drop a file here.',
    use: 'Use these rows',
    empty: 'This has no rows.',
    unreadable: 'This file cannot be read. Choose it again.',
  },
  columns: {
    title: 'Columns',
    text: (separator: Separator) => `Cells are separated by ${separators[separator]}.`,
    label: (column: string) => `Column ${column} is`,
    out: 'Not imported',
    header: 'The first row has the column names',
    missing: 'A lead needs a name and an e-mail address. Select the columns that have them.',
    preview: 'First rows',
  },
  check: {
    title: 'What will be imported',
    checking: 'Rows are being checked',
    good: (count: number, number: string) => `${rows(count, number)} can be imported.`,
    bad: (count: number, number: string) => `${rows(count, number)} cannot, and will be left out:`,
    line: (number: string) => `Line ${number}`,
    more: (number: string) => `and ${number} more, all of them in the file`,
    report: 'Save these rows as a file',
    start: (count: number, number: string) => `Import ${rows(count, number)}`,
    other: 'Choose another file',
  },
  run: {
    title: 'Importing',
    progress: (settled: string, total: string) => `${settled} of ${total} rows`,
    waiting: 'The connection is lost. The import continues as soon as it is back.',
    stop: 'Stop',
    stopping: 'Stopping after the rows that were sent',
    resume: 'Continue',
    failed: 'The import has stopped.',
    stopped: (imported: string, total: string) => `Stopped: ${imported} of ${total} rows are imported.`,
    unsure: (number: string) =>
      `${number} more were sent without a response. Continue to find out what happened to them; nothing is imported twice.`,
    done: (count: number, number: string) => `${rows(count, number)} imported.`,
    refused: (count: number, number: string) => `${rows(count, number)} left out.`,
    show: 'Show the leads',
  },
  report: { line: 'Line', column: 'Column', reason: 'Reason', file: 'leads-left-out.csv' },
};

/** The words about imports in one language. */
export type ImportWords = typeof words;
