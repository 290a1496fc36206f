export type { Turning } from '../failures/turns.ts';
export { FileTurns, noTurnLeft, takeTurn } from './file-turns.ts';
export type { FileRow, ReadRow, RowsToImport } from './file-rows.ts';
export { fileSchemasOf } from './file.schemas.ts';
export { fileWork } from './file-work.ts';
export { importedRowsMax, importMsMax } from './import-limits.ts';
export {
  fileTypes,
  importRoutes,
  turningOf,
  type ImportNoun,
  type ImportQuery,
  type ImportRoutesOptions,
} from './import.routes.ts';
export {
  importTexts,
  ImportsRepository,
  type FilledItem,
  type ImportPart,
  type ImportStatements,
  type TouchedItem,
  type UndonePart,
} from './imports.repository.ts';
export { Imports, type Filling, type ImportedItems } from './imports.ts';
export { tooManyRows } from './files.errors.ts';
export { PastImports, pastImportsChores } from './past-imports.ts';
export { pastImportsRoutes } from './past-imports.routes.ts';
export { pieceBytes, Spool, SpoolEvicted } from './spool.ts';
export { spoolOf, spoolSettings } from './spool-settings.ts';
export { SpoolSpace } from './spool-space.ts';
export { Uploads, type ReceivedFile } from './uploads.ts';
