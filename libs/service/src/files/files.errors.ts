import { ApiError } from '@tenantry/envelope';
import type { ImportReport } from './import-report.ts';

/** A file to be imported as a whole has invalid rows, so nothing was imported. */
export class RefusedFile extends ApiError {
  readonly report: ImportReport;

  constructor(report: ImportReport) {
    const { rows, rejected, errors } = report;
    const details = errors.flatMap(({ line, details }) =>
      details.map((detail) => ({
        ...detail,
        params: { ...detail.params, line },
        message: `${detail.message} (line ${line})`,
      })),
    );
    const message = `Nothing was imported: ${rejected} of ${rows} rows are not valid.`;
    super('VALIDATION_ERROR', message, { details });
    this.report = { ...report, imported: 0 };
  }
}

/** Other temporary files occupy the disk space. */
export const noRoomLeft = (): ApiError =>
  new ApiError('RATE_LIMITED', 'There is no room for this file right now. Try again shortly.', {
    headers: { 'retry-after': '30' },
  });

/** Nothing was imported. */
export const tooManyRows = (limit: number): ApiError =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    `A file has at most ${limit.toLocaleString('en')} rows. Nothing was imported.`,
  );
