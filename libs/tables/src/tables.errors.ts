import { ApiError, invalidField } from '@tenantry/envelope';

/** What a file is that is no table, with what its sender can do. */
const refusals = {
  empty: 'has no rows',
  pdf: 'is a PDF: export the table as CSV or as an Excel workbook (.xlsx)',
  document: 'is a Word document: save its table in an Excel workbook (.xlsx) or as CSV',
  presentation: 'is a presentation: save its table in an Excel workbook (.xlsx) or as CSV',
  openDocument: 'is an OpenDocument file: save it as an Excel workbook (.xlsx) or as CSV',
  numbers: 'is a Numbers file: export it as CSV or as an Excel workbook (.xlsx)',
  archive: 'is an archive: unpack it first',
  password: 'is protected by a password: save it without one',
  oldWorkbook: 'is an Excel workbook of an old kind (.xls): save it as .xlsx or as CSV',
  binaryWorkbook: 'is a binary Excel workbook (.xlsb): save it as .xlsx or as CSV',
  webPage: 'is a web page: open it in a spreadsheet and save it as .xlsx or as CSV',
  image: 'is an image',
  binary: 'is not a text file',
  json: 'is JSON: a table is CSV, tab-separated text or an Excel workbook (.xlsx)',
  damaged: 'is a damaged workbook: open it in a spreadsheet and save it again',
  bomb: 'expands to more than a table would',
  formulas: 'has formulas without results: open it in a spreadsheet and save it again',
  columns: 'has more than 1,000 columns: delete those that are not needed',
  rowLength: 'has a row of more than 256 KiB, or a quotation mark that is never closed',
  noSheet: 'has no such sheet',
  noHeader: 'has no row that begins in the line of the header',
  cards: 'has a contact card that cannot be read: export it as vCard 3.0 or 4.0, or as CSV',
} as const;

/** Why a file is not read. */
export type FileRefusal = keyof typeof refusals;

/** The file is no table, or its choices do not fit it: nothing was imported. */
export function notATable(refusal: FileRefusal, line?: number): ApiError {
  const params = { kind: refusal, ...(line === undefined ? {} : { line }) };
  const message = refusals[refusal] + (line === undefined ? '' : ` (line ${line})`);
  return invalidField({ field: 'body', rule: 'file', params, message });
}
