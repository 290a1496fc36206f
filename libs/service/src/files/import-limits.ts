export const importedRowsMax = 100_000;
/** Several times the duration of the largest file on a busy machine. */
export const importMsMax = 2 * 60_000;
