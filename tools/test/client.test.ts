import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { workspaceRoot } from '@tenantry/dev-database';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { generateClient, generatedDirectory } from '../src/client/generate.ts';

/** The client as a page gets it: one file, minified. What keeps tokens is left out, as by any bundler. */
async function bundle() {
  const library = JSON.stringify(join(workspaceRoot, 'libs/client/src/index.ts'));
  const used = 'createTenantry, isErrorOf, isTenantryError, mayCall, TenantryError';
  const page = {
    name: 'page',
    load: (id: string) => (id === 'page' ? `export { ${used} } from ${library};` : null),
  };
  const resolve = { name: 'itself', resolveId: (id: string) => (id === 'page' ? id : null) };
  const bundled = await rolldown({ input: 'page', plugins: [resolve, page] });
  const { output } = await bundled.generate({ format: 'esm', minify: true, comments: { annotation: false } });
  await bundled.close();
  return output[0];
}

describe('@tenantry/client', () => {
  it('is generated of the API as it is: after a change run npm run client', async () => {
    for (const [name, text] of Object.entries(await generateClient(workspaceRoot))) {
      const kept = await readFile(join(generatedDirectory(workspaceRoot), name), 'utf8');
      expect(kept === text, `${name} is what npm run client writes`).toBe(true);
    }
  });

  it('is at most 6.5 kB on the wire, all operations included, and brings nothing along', async () => {
    const { code, imports } = await bundle();
    expect(imports).toEqual([]);
    expect(code).toContain('listQuotationAuditEvents');
    expect(gzipSync(code, { level: 9 }).byteLength).toBeLessThanOrEqual(6_500);
  });
});
