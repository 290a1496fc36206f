import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Manifest } from '@tenantry/service/archive';
import { fromBufferPromise } from 'yauzl';

/** An archive as it was downloaded. */
export interface ReadArchive {
  /** In the order in which they are in it. */
  readonly names: readonly string[];
  readonly files: ReadonlyMap<string, Buffer>;
  readonly manifest: Manifest;
}

/** Unpacks an archive. */
export async function readArchive(bytes: Buffer): Promise<ReadArchive> {
  const zip = await fromBufferPromise(bytes);
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = [];
    const stream = await zip.openReadStreamPromise(entry);
    for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece);
    files.set(entry.fileName, Buffer.concat(pieces));
  }
  const manifest = JSON.parse(String(files.get('manifest.json'))) as Manifest;
  return { names: [...files.keys()], files, manifest };
}

/** The rows of a table of an archive. */
export const rowsOf = <Row = Readonly<Record<string, unknown>>>(
  { files }: ReadArchive,
  table: string,
): Row[] =>
  String(files.get(`data/${table}.ndjson`))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);

/** The files of an archive that are imported, by their names. */
export const dataOf = ({ files }: ReadArchive, tables: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(tables.map((table) => [table, String(files.get(`data/${table}.ndjson`))]));

/** The digests of its tables, as its manifest should have them. */
export const sumsOf = ({ files, manifest }: ReadArchive): Manifest['tables'] =>
  Object.fromEntries(
    Object.keys(manifest.tables).map((table) => {
      const bytes = files.get(`data/${table}.ndjson`) ?? Buffer.alloc(0);
      const rows = bytes.filter((byte) => byte === 0x0a).length;
      return [table, { rows, sha256: createHash('sha256').update(bytes).digest('hex') }];
    }),
  );

/** Writes an archive to a file while `work` runs. */
export async function withFileOf<Result>(
  bytes: Uint8Array,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), 'tenantry-archive-'));
  try {
    const path = join(directory, 'archive.zip');
    await writeFile(path, bytes);
    return await work(path);
  } finally {
    await rm(directory, { recursive: true });
  }
}
