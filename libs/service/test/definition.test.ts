import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineService } from '@tenantry/service';
import { ConfigError, readConfig } from '@tenantry/service/settings';
import { Type } from 'typebox';
import { describe, expect, it, onTestFinished } from 'vitest';

function packageJson(content: object): URL {
  const directory = mkdtempSync(join(tmpdir(), 'tenantry-definition-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'package.json'), JSON.stringify(content));
  return pathToFileURL(join(directory, 'package.json'));
}

const complete = {
  name: '@tenantry/notes-service',
  version: '4.5.6',
  tenantry: { port: 3999, prefix: '/api/notes' },
};

const define = (manifest: object) =>
  defineService({
    manifest: packageJson(manifest),
    title: 'Notes',
    failures: 'plain',
    models: { ModelName: {} },
    prisma: () => {
      throw new Error('a definition opens no database');
    },
    settings: { NOTE_COLOR: Type.Enum(['yellow', 'blue'], { default: 'yellow', description: 'color' }) },
    features: () => {
      throw new Error('a definition builds nothing');
    },
  });

describe('a definition', () => {
  it('takes name, version, port and prefix from package.json, and finds the migrations beside it', () => {
    const { name, version, port, prefix, migrationsDirectory } = define(complete);
    expect({ name, version, port, prefix }).toEqual({
      name: 'notes-service',
      version: '4.5.6',
      port: 3999,
      prefix: '/api/notes',
    });
    expect(migrationsDirectory).toMatch(/prisma\/migrations$/);
  });

  it.each([{}, { port: 3999 }, { prefix: '/api/notes' }])('is refused with the entry %j', (tenantry) => {
    expect(() => define({ ...complete, tenantry })).toThrow(
      '@tenantry/notes-service needs a port and a prefix: set both under "tenantry" in its package.json.',
    );
  });

  it('reads the settings of every service and its own, and reports every problem together', () => {
    const { config } = define(complete);
    const url = 'postgresql://notes@127.0.0.1/notes';
    const read = (env: Record<string, string>) => readConfig('notes-service', config, env);
    expect(read({ DATABASE_URL: url })).toMatchObject({
      PORT: 3999,
      NOTE_COLOR: 'yellow',
      DATABASE_POOL_SIZE: 10,
    });
    try {
      read({ NOTE_COLOR: 'red', PORT: 'x' });
      expect.unreachable();
    } catch (error) {
      expect((error as ConfigError).problems.join()).toMatch(
        /DATABASE_URL.*(PORT.*NOTE_COLOR|NOTE_COLOR.*PORT)/s,
      );
    }
  });
});
