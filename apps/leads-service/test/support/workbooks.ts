import { crc32, deflateRawSync } from 'node:zlib';

/** An archive of these parts, deflated. */
export function zipOf(parts: Readonly<Record<string, string | Buffer>>): Buffer {
  const [files, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content);
    const [packed, path] = [deflateRawSync(bytes), Buffer.from(name)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, path, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), common, rest, path]));
    files.push(local);
    offset += local.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, ...directory, Buffer.from('PK\x05\x06'), end]);
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const relationships = (targets: readonly (readonly [type: string, target: string])[]): string =>
  `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${targets
    .map(
      ([type, target], n) =>
        `<Relationship Id="rId${n + 1}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A cell as Excel writes it: a shared text, or the XML of one. */
export type WorkbookCell = string | number | { readonly xml: string };

/** A workbook of sheets, each with its rows; texts are shared. */
export function workbookOf(
  sheets: Readonly<Record<string, readonly (readonly WorkbookCell[])[]>>,
  parts: Readonly<Record<string, string>> = {},
): Buffer {
  const shared: string[] = [];
  const cellOf = (cell: WorkbookCell): string => {
    if (typeof cell === 'object') return cell.xml;
    if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
    if (cell === '') return '<c/>';
    shared.push(cell);
    return `<c t="s"><v>${shared.length - 1}</v></c>`;
  };
  const names = Object.keys(sheets);
  const worksheets = names.map((name, n) => {
    const rows = (sheets[name] ?? []).map((cells) => `<row>${cells.map(cellOf).join('')}</row>`);
    const xml = `${declaration}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows.join('')}</sheetData></worksheet>`;
    return [`xl/worksheets/sheet${n + 1}.xml`, xml] as const;
  });
  const listed = names.map(
    (name, n) => `<sheet name="${escaped(name)}" sheetId="${n + 1}" r:id="rId${n + 1}"/>`,
  );
  return zipOf({
    '[Content_Types].xml': `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `${declaration}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ...names.map((_, n) => ['worksheet', `worksheets/sheet${n + 1}.xml`] as const),
      ['sharedStrings', 'sharedStrings.xml'],
      ['styles', 'styles.xml'],
    ]),
    'xl/styles.xml': `${declaration}<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `${declaration}<sst>${shared.map((text) => `<si><r><t xml:space="preserve">${escaped(text.slice(0, 1))}</t></r><r><t xml:space="preserve">${escaped(text.slice(1))}</t></r><rPh><t>x</t></rPh></si>`).join('')}</sst>`,
    ...Object.fromEntries(worksheets),
    ...parts,
  });
}
