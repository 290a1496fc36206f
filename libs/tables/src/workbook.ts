import { posix } from 'node:path';
import { inSlices } from './slices.ts';
import { columnsMax, type TableRow } from './delimited.ts';
import type { FileBytes } from './file-bytes.ts';
import { PackedTexts } from './packed-texts.ts';
import { notATable, type FileRefusal } from './tables.errors.ts';
import { readAllXml, readXml } from './xml-events.ts';
import { ZipArchive } from './zip-archive.ts';

/** A sheet of a workbook that is not hidden. */
interface Sheet {
  readonly name: string;
  readonly part: string;
}

/** An Excel workbook (.xlsx), of which the rows of one sheet at a time are read as they are expanded. */
export interface Workbook {
  /** The names of the sheets that are not hidden. */
  readonly sheets: readonly string[];
  /** The rows of a sheet that are not empty. @throws VALIDATION_ERROR */
  readonly rows: (sheet: string) => AsyncGenerator<TableRow>;
}

/** What other archives have. */
const otherArchives: readonly (readonly [name: RegExp, refusal: FileRefusal])[] = [
  [/^word\//, 'document'],
  [/^ppt\//, 'presentation'],
  [/^xl\/workbook\.bin$/, 'binaryWorkbook'],
  [/^index\/document\.iwa$|^index\.zip$/, 'numbers'],
  [/^content\.xml$/, 'openDocument'],
];
const cellLengthMax = 32_767;
const rowLengthMax = 256 * 1024;

/**
 * Opens a workbook.
 *
 * @throws VALIDATION_ERROR for another archive, or one that is damaged
 */
export async function openWorkbook(bytes: FileBytes): Promise<Workbook> {
  const archive = await ZipArchive.open(bytes);
  const main = [...(await relationsOf(archive, ''))].find(([, { type }]) => type.endsWith('/officeDocument'));
  const workbook = main?.[1].part ?? 'xl/workbook.xml';
  const isWorkbook = archive.names.includes(workbook.toLowerCase()) && !/^(?:word|ppt)\//.test(workbook);
  if (!isWorkbook || workbook.endsWith('.bin')) {
    const other = otherArchives.find(([name]) => archive.names.some((each) => name.test(each)));
    throw notATable(other?.[1] ?? 'archive');
  }
  const { sheets, isFrom1904 } = await sheetsOf(archive, workbook);
  if (sheets.length === 0) throw notATable('empty');
  const folder = folderOf(workbook);
  const relations = [...(await relationsOf(archive, workbook)).values()];
  const partOf = (type: string): string =>
    relations.find((relation) => relation.type.endsWith(`/${type}`))?.part ?? `${folder}${type}.xml`;
  const dates = await dateStyles(archive, partOf('styles'));
  let texts: Promise<PackedTexts> | undefined;
  return {
    sheets: sheets.map(({ name }) => name),
    async *rows(name) {
      const sheet = sheets.find((each) => each.name === name);
      if (!sheet) throw notATable('noSheet');
      texts ??= sharedTexts(archive, partOf('sharedStrings'));
      const known = { texts: await texts, dates, isFrom1904 };
      yield* sheetRows(archive.text(sheet.part), known);
    },
  };
}

const folderOf = (part: string): string => part.slice(0, part.lastIndexOf('/') + 1);

interface Relation {
  readonly type: string;
  readonly part: string;
}

/** What a part refers to, by id. */
async function relationsOf(archive: ZipArchive, part: string): Promise<ReadonlyMap<string, Relation>> {
  const folder = folderOf(part);
  const relations = new Map<string, Relation>();
  await readAllXml(archive.text(`${folder}_rels/${part.slice(folder.length)}.rels`), {
    open: (name, { Id, Type = '', Target = '' }) => {
      if (name !== 'Relationship' || Id === undefined) return;
      const path = Target.startsWith('/') ? Target.slice(1) : folder + Target;
      relations.set(Id, { type: Type, part: posix.normalize(path) });
    },
  });
  return relations;
}

async function sheetsOf(archive: ZipArchive, workbook: string) {
  const relations = await relationsOf(archive, workbook);
  const sheets: Sheet[] = [];
  let isFrom1904 = false;
  await readAllXml(archive.text(workbook), {
    open: (name, attributes) => {
      if (name === 'workbookPr') isFrom1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '');
      const { name: title = '', state = 'visible' } = attributes;
      if (name !== 'sheet' || state !== 'visible') return;
      const id = Object.entries(attributes).find(([key]) => /(?:^|:)id$/.test(key))?.[1] ?? '';
      const relation = relations.get(id);
      if (relation?.type.endsWith('/worksheet')) sheets.push({ name: title, part: relation.part });
    },
  });
  return { sheets, isFrom1904 };
}

/** Whether numbers of each style are dates. */
async function dateStyles(archive: ZipArchive, part: string): Promise<readonly boolean[]> {
  const formats = new Map<number, string>();
  const styles: boolean[] = [];
  let isInStyles = false;
  await readAllXml(archive.text(part), {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      if (name === 'numFmt') formats.set(Number(numFmtId), formatCode);
      if (name === 'cellXfs') isInStyles = true;
      if (name === 'xf' && isInStyles) styles.push(isDateFormat(Number(numFmtId), formats));
    },
    close: (name) => {
      if (name === 'cellXfs') isInStyles = false;
    },
  });
  return styles;
}

/** Of a format, as Excel limits it. */
const formatCharacters = 255;

/** The formats of dates and times that every workbook has, and those that name a day, month, year, hour or second. */
function isDateFormat(id: number, formats: ReadonlyMap<number, string>): boolean {
  const format = formats.get(id)?.slice(0, formatCharacters);
  if (format === undefined) return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58);
  return /[dmyhs]/i.test(format.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|general/gi, ''));
}

/** The texts that cells refer to. */
async function sharedTexts(archive: ZipArchive, part: string): Promise<PackedTexts> {
  const texts = new PackedTexts();
  const reader = new TextReader();
  const pauses = readXml(archive.text(part), {
    open: (name) => reader.open(name),
    close: (name) => {
      reader.close(name);
      if (name === 'si') texts.add(reader.take());
    },
    text: (piece) => reader.add(piece),
  });
  // oxlint-disable-next-line no-unused-vars -- What is read is in the events.
  for await (const _ of inSlices(pauses));
  return texts;
}

/** Collects a text of several runs, without how it is pronounced. */
class TextReader {
  #text = '';
  #isText = false;
  #phonetic = 0;

  open(name: string): void {
    if (name === 'rPh') this.#phonetic += 1;
    if (name === 't') this.#isText = true;
  }

  close(name: string): void {
    if (name === 'rPh') this.#phonetic -= 1;
    if (name === 't') this.#isText = false;
  }

  add(piece: string): void {
    if (this.#isText && this.#phonetic === 0) this.#text = (this.#text + piece).slice(0, cellLengthMax);
  }

  take(): string {
    const text = this.#text;
    this.#text = '';
    return unescaped(text);
  }
}

/** Characters that XML does not have are written as _x000D_. */
const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([\da-f]{4})_/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;

interface KnownOfCells {
  readonly texts: PackedTexts;
  readonly dates: readonly boolean[];
  readonly isFrom1904: boolean;
}

interface Cell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  value: string | undefined;
  isFormula: boolean;
}

async function* sheetRows(xml: AsyncIterable<string>, known: KnownOfCells): AsyncGenerator<TableRow> {
  const inline = new TextReader();
  let rows: TableRow[] = [];
  let [line, column, length] = [0, 0, 0];
  let cells: string[] = [];
  let cell: Cell | undefined;
  let isValue = false;
  const endCell = ({ column: at, type, style, value, isFormula }: Cell): void => {
    if (isFormula && value === undefined) throw notATable('formulas', line);
    const text =
      type === 'inlineStr' ? inline.take() : textOfCell({ type, style, value: value ?? '' }, known);
    if (text.trim() === '') return;
    if (at > columnsMax) throw notATable('columns');
    length += text.length;
    if (length > rowLengthMax) throw notATable('rowLength', line);
    while (cells.length < at - 1) cells.push('');
    cells[at - 1] = text;
  };
  const pauses = readXml(xml, {
    open: (name, attributes) => {
      inline.open(name);
      if (name === 'row') {
        line = Number(attributes['r'] ?? line + 1);
        [cells, column, length] = [[], 0, 0];
      } else if (name === 'c') {
        column = columnOf(attributes['r']) ?? column + 1;
        const style = Number(attributes['s'] ?? 0);
        cell = { column, type: attributes['t'] ?? 'n', style, value: undefined, isFormula: false };
      } else if (name === 'f' && cell) {
        cell.isFormula = true;
      } else if (name === 'v' && cell) {
        cell.value = '';
        isValue = true;
      }
    },
    text: (piece) => {
      inline.add(piece);
      if (isValue && cell) cell.value = ((cell.value ?? '') + piece).slice(0, cellLengthMax);
    },
    close: (name) => {
      inline.close(name);
      if (name === 'v') isValue = false;
      if (name === 'c' && cell) {
        endCell(cell);
        cell = undefined;
      }
      if (name === 'row' && cells.length > 0) rows.push({ cells, line });
    },
  });
  // oxlint-disable-next-line no-unused-vars -- What is read is in the events.
  for await (const _ of inSlices(pauses)) {
    const read = rows;
    rows = [];
    yield* read;
  }
}

/** The number of a column, from 1, by the name of a cell: `AB12` is in column 28. */
function columnOf(cell: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(cell ?? '')?.[0];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

function textOfCell(
  { type, style, value }: { type: string; style: number; value: string },
  known: KnownOfCells,
) {
  if (type === 's') return known.texts.at(Number(value)) ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  // An error, such as #N/A, is no value.
  if (type === 'e') return '';
  if (type !== 'n' || value.trim() === '') return unescaped(value);
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  if (known.dates[style] === true) return dateOf(number, known) ?? value;
  // Fifteen digits are what Excel has, and what it shows.
  return Number.isInteger(number) ? number.toFixed(0) : String(Number(number.toPrecision(15)));
}

const dayMs = 86_400_000;

/** A date as ISO 8601 writes it, with its time if it has one. Excel takes 1900 for a leap year. */
function dateOf(days: number, { isFrom1904 }: KnownOfCells): string | undefined {
  if (days < 0 || days > 2_958_465) return undefined;
  const epoch = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const text = new Date(epoch + Math.round(days * dayMs)).toISOString();
  if (days < 1) return text.slice(11, 16);
  return days % 1 === 0 ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 16)}`;
}
