import type { api } from '@tenantry/client';

type Findings = api.LeadFileFindings | api.CustomerFileFindings;
type Warning = Findings['sample'][number]['warnings'][number];

const counted = (one: string, many: string) => (count: number, number: string) =>
  `${number} ${count === 1 ? one : many}`;
const rows = counted('row', 'rows');
const leads = counted('lead', 'leads');
const customers = counted('customer', 'customers');

const encodings: Readonly<Record<NonNullable<Findings['encoding']>, string>> = {
  'utf-8': 'Unicode (UTF-8)',
  'utf-16le': 'Unicode (UTF-16)',
  'utf-16be': 'Unicode (UTF-16, big-endian)',
  'windows-1252': 'Western European (Windows-1252)',
  mixed: 'Mixed, line by line',
};
const separators: Readonly<Record<NonNullable<Findings['separator']>, string>> = {
  comma: 'Comma',
  semicolon: 'Semicolon',
  tab: 'Tab',
  pipe: 'Vertical bar',
};
const program: Readonly<Record<Exclude<NonNullable<Findings['program']>, 'own'>, string>> = {
  hubspot: 'This looks like an export from HubSpot.',
  salesforce: 'This looks like an export from Salesforce.',
  pipedrive: 'This looks like an export from Pipedrive.',
  google: 'This looks like an export from Google Contacts.',
  outlook: 'This looks like an export from Outlook.',
  linkedin: 'This looks like an export from LinkedIn.',
  fortnox: 'This looks like a list of customers from Fortnox.',
  visma: 'This looks like a list of customers from Visma.',
  contactCards: 'These are contact cards.',
};
const unsure: Readonly<Record<Findings['unsure'][number], (line: string) => string>> = {
  encoding: () => 'The encoding is a guess: check letters with accents below.',
  mixedEncoding: (line) =>
    `The file has two encodings: from line ${line} on, some letters are written differently.`,
  separator: () => 'The separator is a guess: check that each cell is in its own column.',
  header: () => 'It is not certain which row has the column names.',
  sheet: () => 'The workbook has several sheets with rows: check that this is the right one.',
  name: () => 'It is not certain which columns have the name.',
  email: () => 'It is not certain which column has the e-mail address.',
  phone: () => 'It is not certain which column has the phone number.',
  source: () => 'It is not certain which column has the source.',
  notes: () => 'It is not certain which column has the notes.',
  address: () => 'It is not certain which columns have the postal address.',
  vatNumber: () => 'It is not certain which column has the VAT number.',
};
const warning: Readonly<Record<Warning, string>> = {
  roundedPhone: 'A spreadsheet has rounded the phone number.',
  shortName: 'The name is a single letter.',
  readTwice: 'Some letters look damaged: the file may have been saved in the wrong encoding.',
  unknownLetters: 'Some letters are missing in this encoding.',
  spreadsheetError: 'A cell has an error of the spreadsheet, which is left out.',
  moreInNotes: 'There are several values: the first is taken, the others go to the notes.',
  phoneInNotes: 'The phone number is too long, and goes to the notes.',
  sourceInNotes: 'The source is too long, and goes to the notes.',
  notesCut: 'The notes are cut after 2,000 characters.',
  moreLeftOut: 'There are several values: the first is taken, the others are left out.',
  emailLeftOut: 'The e-mail address is not valid, and is left out.',
  addressLeftOut: 'The postal address is too long, and is left out.',
  vatNumberLeftOut: 'The VAT number is not valid, and is left out.',
};

/** What is said about imports: other languages say the same. */
export const words = {
  choose: {
    title: 'Choose a file',
    text: 'A CSV or text file, an Excel workbook, contact cards, or rows copied from a spreadsheet. Nothing is imported before you have checked it.',
    file: 'File',
    paste: 'Or paste rows here',
    drop: 'You can also drop a file here.',
    use: 'Use these rows',
    empty: 'This has no rows.',
    unreadable: 'This file cannot be read. Choose it again.',
    other: 'Choose another file',
  },
  file: {
    found: (count: number, number: string) => `${rows(count, number)} found.`,
    program,
    encoding: 'Encoding',
    encodings,
    separator: 'Cells are separated by',
    separators,
    sheet: 'Sheet',
    header: 'Row with the column names',
    row: (line: string, cells: string) => `Row ${line}: ${cells}`,
    unsure,
  },
  columns: {
    title: 'How the file is read',
    columns: 'Columns',
    reading: 'The file is being read',
    label: (column: string) => `Column ${column} is`,
    out: 'Not imported',
    otherName: 'Name, if there is no other',
    isLabel: 'Kind of the next column',
    rest: 'Columns that are not imported',
    keep: 'Keep them in the notes, as "Column: value"',
    preview: 'First rows',
  },
  none: 'None',
  check: {
    title: 'What will be imported',
    checking: 'Rows are being checked',
    bad: (count: number, number: string) => `${rows(count, number)} cannot, and will be left out.`,
    warned: (count: number, number: string) => `${rows(count, number)} should be looked at.`,
    duplicate: { skip: 'Leave them out' },
    line: (number: string) => `Line ${number}`,
    as: { new: 'New', duplicate: 'Duplicate', refused: 'Left out' },
    warning,
    more: (number: string) => `and ${number} more`,
    start: (count: number, number: string) => `Import ${rows(count, number)}`,
  },
  run: {
    title: 'Importing',
    progress: (settled: string, total: string) => `${settled} of ${total} rows`,
    waiting: 'The connection is lost. The import continues as soon as it is back.',
    stop: 'Stop',
    resume: 'Start again',
    stopped: 'Stopped: nothing was imported.',
    done: (count: number, number: string) => `${rows(count, number)} imported.`,
    refused: (count: number, number: string) => `${rows(count, number)} left out.`,
    report: 'Save these rows as a file',
  },
  past: {
    title: 'Past imports',
    pasted: 'Pasted rows',
    status: {
      running: 'Running',
      done: 'Done',
      failed: 'Nothing was imported',
      interrupted: 'Interrupted: nothing was imported',
    },
    undo: 'Take this import back',
    confirm: 'Take it back',
    cancel: 'Cancel',
  },
  /** What is said of one thing, and not of others. */
  of: {
    leads: {
      title: 'Import leads',
      back: 'Back to the leads',
      own: 'This is an export of leads from here.',
      noHeader: 'None: all rows are leads',
      explained:
        'Several columns can be the name, such as first and last name. Of several e-mail addresses or phone numbers the first is taken, and the others are kept in the notes.',
      missing: 'A lead needs a name and an e-mail address. Select the columns that have them.',
      sample: 'The first leads',
      good: (count: number, number: string) => `${rows(count, number)} can be imported as new leads.`,
      duplicates: (count: number, number: string) =>
        `${rows(count, number)} with the address of a lead, or of an earlier row`,
      duplicate: {
        fill: 'Fill what is empty in the lead',
        import: 'Import them anyway, as new leads',
      },
      show: 'Show the lead',
      ofLine: (line: string) => `Same address as line ${line}.`,
      filled: (count: number, number: string) => `${leads(count, number)} filled.`,
      file: 'leads-left-out.csv',
      showAll: 'Show the leads',
      imported: (count: number, number: string) => `${leads(count, number)} imported`,
      question:
        'Leads that nobody has changed since are deleted, and what was filled is emptied. Changed leads stay. Deleted leads can be restored.',
      undone: (count: number, number: string) => `${leads(count, number)} taken back`,
      kept: (count: number, number: string) => `${leads(count, number)} stayed, because they were changed:`,
    },
    customers: {
      title: 'Import customers',
      back: 'Back to the customers',
      own: 'This is an export of customers from here.',
      noHeader: 'None: all rows are customers',
      explained:
        'Several columns can be the name or the postal address. Of several e-mail addresses the first is taken. What has no place, such as phone numbers, is not imported; rows of which a value was left out can be saved as a file after the import.',
      missing: 'A customer needs a name. Select the columns that have it.',
      sample: 'The first customers',
      good: (count: number, number: string) => `${rows(count, number)} can be imported as new customers.`,
      duplicates: (count: number, number: string) =>
        `${rows(count, number)} with the e-mail address or VAT number of a customer, or of an earlier row`,
      duplicate: {
        fill: 'Fill what is empty in the customer',
        import: 'Import them anyway, as new customers',
      },
      show: 'Show the customer',
      ofLine: (line: string) => `Same address or VAT number as line ${line}.`,
      filled: (count: number, number: string) => `${customers(count, number)} filled.`,
      file: 'customers-left-out.csv',
      showAll: 'Show the customers',
      imported: (count: number, number: string) => `${customers(count, number)} imported`,
      question:
        'Customers that nobody has changed since are deleted, and what was filled is emptied. Customers that were changed, or have a quote, stay.',
      undone: (count: number, number: string) => `${customers(count, number)} taken back`,
      kept: (count: number, number: string) =>
        `${customers(count, number)} stayed, because they were changed or have a quote:`,
    },
  },
};

/** The words about imports in one language. */
export type ImportWords = typeof words;
