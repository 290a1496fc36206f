export { columnsMax, delimitedRows, separatorNames, type TableRow } from './delimited.ts';
export { encodings } from './encoding.ts';
export { fieldsOf, type Fields } from './fields.ts';
export { bytesInMemory, piecesFrom, type FileBytes } from './file-bytes.ts';
export { propose, writtenAlternatives } from './mapping.ts';
export { readerOf, type FileNoun } from './open-file.ts';
export { programOf, programs, type Program } from './programs.ts';
export { rowWarningsOf, type FieldRow } from './row-reader.ts';
export { openTable } from './table.ts';
