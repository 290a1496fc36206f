import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const inSource = (path) => join(import.meta.dirname, 'src', path);
const firstRoots = ['main.tsx', 'sessions/sign-in.page.tsx'].map(inSource);
const frameRoots = [
  ...['shell/header.tsx', 'sessions/dialogs.tsx', 'design/toasts.tsx'],
  // Of most pages, and so small that a file of its own would cost more: the sign-in has to know its name.
  ...['design/rows.module.css', 'design/empty-state.tsx', 'design/day-start.ts'],
  ...['design/money.ts', 'design/ago.ts', 'design/badge.tsx', 'design/back-link.tsx', 'design/confirm.tsx'],
  ...['design/select-field.tsx', 'design/text-area.tsx', 'design/list.tsx', 'design/action-link.tsx'],
  ...['design/table.tsx', 'design/form.tsx', 'design/sub-pages.tsx', 'design/use-rested.ts'],
  ...['design/near-day.ts', 'design/facts.tsx', 'design/use-done-toast.ts', 'design/icon-button.tsx'],
  ...['design/choices.tsx', 'quotes/last-day.queries.ts', 'quotes/days.ts'],
].map(inSource);
/** What libraries export that the sign-in does not use: their indexes import everything. */
const laterLibraries =
  /\/@tanstack\/.*\/(?:useBlocker|useQueries|queriesObserver|useInfiniteQuery|infiniteQueryObserver|infiniteQueryOptions|useSearch|useParams)\.\w+$/;
/** What adds a quote up: the index of the package that knows currencies imports it. */
const ofTheEditor = /\/decimal\.js\/|\/money\/src\/(?!currencies\.)/;
let first;
let frame;

const outDir = process.env['CONSOLE_OUT_DIR'] ?? 'dist';

export default defineConfig({
  root: import.meta.dirname,
  // Packages of the workspace are built from their sources.
  resolve: {
    conditions: ['@tenantry/source', 'module', 'browser', 'development|production'],
    // React has the hook that the shim is in place of.
    alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' },
  },
  plugins: [react(), loadByBoot(), compressed()],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    // Nothing may be inlined that the policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        // The sign-in knows the names of all files: fewer characters are enough to tell the versions of one apart.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:6][extname]',
        codeSplitting: {
          groups: [
            { debugName: 'first', name: firstChunkOf, priority: 2 },
            { debugName: 'words', name: wordsChunkOf, priority: 2 },
            { debugName: 'ways', name: waysChunkOf, priority: 2 },
            { debugName: 'frame', name: frameChunkOf, priority: 1 },
          ],
        },
      },
    },
  },
  // In development the API is that of npm start, which accepts this origin.
  server: { port: 5173, strictPort: true, proxy: { '/api': 'http://127.0.0.1:8080' } },
});

/**
 * The file of what the sign-in is made of, which everybody loads: libraries stay in the caches of browsers when the console
 * changes. What fewer pages need is loaded with them.
 */
function firstChunkOf(id, graph) {
  first ??= staticImports(firstRoots, graph);
  if (id.startsWith('\0rolldown/')) return 'libraries';
  if (firstRoots.includes(id) || !first.has(id) || laterLibraries.test(id)) return null;
  if (id.includes('/node_modules/')) return 'libraries';
  // What main.tsx alone imports is bundled with it.
  return /\/src\/(?:design|failures|sessions)\/|\.words\.ts$|\/app\.module\.css$/.test(id) ? 'shared' : null;
}

/** The file of the words that every page needs, in one language. */
function wordsChunkOf(id) {
  const language = /\/(?:failures|sessions)\.words\.(\w+)\.ts$/.exec(id)?.[1];
  return language ? `words.${language}` : null;
}

/** The file of what the sign-in may load next, and the frame has too: neither brings the other along. */
function waysChunkOf(id) {
  return /\/sessions\/ways\/(?:providers\.queries|passkeys|ways\.words)\.ts$/.test(id) ? 'ways' : null;
}

/** The file of what is around every page of somebody who is signed in. */
function frameChunkOf(id, graph) {
  frame ??= staticImports(frameRoots, graph);
  return frame.has(id) && !ofTheEditor.test(id) ? 'frame' : null;
}

/** Modules, and all that they cannot do without. */
function staticImports(ids, graph) {
  const found = new Set(ids);
  for (const id of found) {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  }
  return found;
}

/**
 * Has public/boot.js load the program, which the page fetches meanwhile. It may load it by another address the second time,
 * so that nothing else may import it: it would run twice.
 */
function loadByBoot() {
  const script = /<script type="module" crossorigin src="([^"]+)"><\/script>/;
  return {
    name: 'load-by-boot',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
      const entry = chunks.find(({ isEntry }) => isEntry);
      const importer = chunks.find(({ imports }) => imports.includes(entry.fileName));
      if (importer)
        this.error(`${importer.fileName} imports what main.tsx is bundled with: move that to a chunk.`);
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replace(
          script,
          '<link rel="modulepreload" crossorigin href="$1">\n    <script defer src="/boot.js" data-main="$1"></script>',
        ),
    },
  };
}

/** Puts a brotli and a gzip file beside each file that is worth it: they are made once, as small as can be. */
function compressed() {
  const bytesMin = 1_000;
  return {
    name: 'compressed',
    apply: 'build',
    enforce: 'post',
    writeBundle({ dir }) {
      for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (!entry.isFile() || !/\.(?:css|html|js|json|svg)$/.test(entry.name)) continue;
        const content = readFileSync(path);
        if (content.byteLength < bytesMin) continue;
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        writeFileSync(`${path}.br`, brotliCompressSync(content, { params }));
        writeFileSync(`${path}.gz`, gzipSync(content, { level: constants.Z_BEST_COMPRESSION }));
      }
    },
  };
}
