import { byteOrderMark, csvText } from './csv.ts';
import type { ImportReport } from './import-report.ts';

/** Writes the report of an import as a file: one line per reason, with line and column of the imported file. */
export const reportText = ({ errors }: Pick<ImportReport, 'errors'>): string =>
  byteOrderMark +
  csvText([
    ['line', 'column', 'reason'],
    ...errors.flatMap(({ line, details }) =>
      details.map(({ field, message }) => [String(line), field, message]),
    ),
  ]);
