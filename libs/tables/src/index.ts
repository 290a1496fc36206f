export { columnsMax, delimitedRows, separatorNames, type TableRow } from './delimited.ts';
export { encodings } from './encoding.ts';
export { fieldsOf, type Fields } from './fields.ts';
export { bytesInMemory, piecesFrom, type FileBytes } from './file-bytes.ts';
export {
  propose,
  readAlternatives,
  writeAlternatives,
  writtenAlternatives,
  type Alternatives,
  type Mapping,
  type WrittenMapping,
} from './mapping.ts';
export { programOf, programs, type Program } from './programs.ts';
export { openTable, type Table, type TableChoices, type TableDoubt } from './table.ts';
