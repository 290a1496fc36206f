import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** Content codings of files, the smallest first. */
export const encodings = ['br', 'gzip', 'identity'] as const;

/** An encoding. */
export type Encoding = (typeof encodings)[number];

/** A file of the console, in the encodings of its build. */
export interface ConsoleFile {
  readonly contentType: string;
  readonly bodies: Readonly<Partial<Record<Encoding, Buffer>>>;
  /** SHA-256 of its content, for the entity tag. */
  readonly digest: string;
}

/** All files of the console, by their path: `/assets/main-1a2b.js`. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

/** The page, which is returned for every path of the console. */
export const pagePath = '/index.html';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

const suffixes: Readonly<Record<string, Encoding>> = { '.br': 'br', '.gz': 'gzip' };

/**
 * Reads a built console, once, so that all responses are from one build.
 *
 * @throws an Error where there is no `index.html`.
 */
export function readConsoleFiles(directory: string): ConsoleFiles {
  if (!existsSync(join(directory, pagePath))) {
    throw new Error(
      `CONSOLE_DIRECTORY is ${directory}, where there is no index.html: build the console first.`,
    );
  }
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(directory, '/').length));
  const plain = names.filter((name) => !(extname(name) in suffixes));
  return new Map(plain.map((name) => [`/${name}`, readFile(directory, name)]));
}

function readFile(directory: string, name: string): ConsoleFile {
  const identity = readFileSync(join(directory, name));
  const encoded = Object.entries(suffixes).flatMap(([suffix, encoding]) => {
    const path = join(directory, name + suffix);
    return existsSync(path) ? [[encoding, readFileSync(path)] as const] : [];
  });
  return {
    contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
    bodies: { identity, ...Object.fromEntries(encoded) },
    digest: hash('sha256', identity, 'base64url').slice(0, 22),
  };
}
