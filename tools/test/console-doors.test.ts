import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { complaintsAbout } from './support/eslint.ts';

const src = 'apps/console/src';

describe('a forbidden import fails the lint of the console, and the message teaches', () => {
  it.each([
    [
      'the console knows a library of the services',
      `${src}/home/home.page.tsx`,
      "import * as forbidden from '@tenantry/service/http';",
      '@nx/enforce-module-boundaries',
    ],
    [
      'the console knows a published library that is not for a page',
      `${src}/sessions/session-store.ts`,
      "import * as forbidden from '@tenantry/jwt-verify';",
      '@nx/enforce-module-boundaries',
    ],
    [
      'a page calls the client',
      `${src}/accounts/account.page.tsx`,
      "import { useTenantry } from '../sessions/sessions.queries.ts';",
      'A page asks its queries',
    ],
    [
      'a page makes a client of its own',
      `${src}/accounts/account.page.tsx`,
      "import { createTenantry } from '@tenantry/client';",
      'There is one client',
    ],
    [
      'queries make a client of their own',
      `${src}/accounts/accounts.queries.ts`,
      "import { createTenantry } from '@tenantry/client';",
      'There is one client',
    ],
    [
      'queries render',
      `${src}/accounts/accounts.queries.ts`,
      "import { Notice } from '../design/notice.tsx';",
      'Queries say what there is',
    ],
    [
      'a rule knows React',
      `${src}/organizations/slug.ts`,
      "import { useState } from 'react';",
      'A rule takes values and gives values',
    ],
    [
      'a rule asks the API',
      `${src}/organizations/slug.ts`,
      "import { useQuery } from '@tanstack/react-query';",
      'A rule takes values and gives values',
    ],
    [
      'the store of the session renders',
      `${src}/sessions/session-store.ts`,
      "import { useSyncExternalStore } from 'react';",
      'A rule takes values and gives values',
    ],
    [
      'the design knows a noun',
      `${src}/design/button.tsx`,
      "import { accountWords } from '../accounts/accounts.words.ts';",
      'design/ is what every noun shares',
    ],
    [
      'a noun reaches into another past its queries',
      `${src}/organizations/organization-menu.tsx`,
      "import { SignInForm } from '../sessions/sign-in-form.tsx';",
      'A noun is reached through its queries',
    ],
  ])('%s', async (_case, file, line, complaint) => {
    expect(await complaintsAbout(file, line)).toContain(complaint);
  });

  it('what fields of a noun are called may be said anywhere', async () => {
    const line = "export { words } from '../leads/lead-fields.words.en.ts';";
    expect(await complaintsAbout(`${src}/home/home.words.en.ts`, line)).not.toContain('A noun is reached');
  });

  it.each(['document.title', 'window.name', 'location.href', "localStorage.getItem('token')"])(
    'a file other than main.tsx touches %s',
    async (expression) => {
      const line = `export const found = ${expression};`;
      expect(await complaintsAbout(`${src}/home/home.page.tsx`, line)).toContain(
        'Only main.tsx touches the document',
      );
    },
  );

  it('a file asks the API past the client', async () => {
    const line = "export const start = fetch('/api/auth/start');";
    expect(await complaintsAbout(`${src}/sessions/sessions.queries.ts`, line)).toContain(
      'There is one client',
    );
  });
});

const refused = [
  ['a text that is not among the words', '<p>Sign in</p>', 'react(jsx-no-literals)'],
  ['a list without keys', '<ul>{[1, 2].map((one) => <li>{one}</li>)}</ul>', 'react(jsx-key)'],
  ['HTML from a string', '<p dangerouslySetInnerHTML={{ __html: name }} />', 'react(no-danger)'],
  ['a button that might send a form', '<button>{name}</button>', 'react(button-has-type)'],
  ['a picture that says nothing', '<img src={name} />', 'jsx-a11y(alt-text)'],
  [
    'a press that a keyboard cannot make',
    '<p onClick={console.log}>{name}</p>',
    'jsx-a11y(click-events-have-key-events)',
  ],
  ['a role that there is not', '<p role="nothing">{name}</p>', 'jsx-a11y(aria-role)'],
] as const;

describe('the lint of the console refuses', () => {
  let folder: string;
  let findings: readonly { filename: string; code?: string }[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tenantry-console-lint-'));
    await cp(join(workspaceRoot, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
    await mkdir(join(folder, src), { recursive: true });
    for (const [index, [, element]] of refused.entries()) {
      const code = `export const Shown = ({ name }: { readonly name: string }) => ${element};\n`;
      await writeFile(join(folder, src, `case-${index}.tsx`), code);
    }
    const oxlint = join(workspaceRoot, 'node_modules/oxlint/bin/oxlint');
    const { stdout } = spawnSync(process.execPath, [oxlint, '--format=json'], {
      cwd: folder,
      encoding: 'utf8',
    });
    findings = (JSON.parse(stdout) as { diagnostics: typeof findings }).diagnostics;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(refused.map(([what, , complaint], index) => [what, complaint, index] as const))(
    '%s',
    (_what, complaint, index) => {
      const own = findings.filter(({ filename }) => filename.endsWith(`case-${index}.tsx`));
      expect(own.map(({ code }) => code)).toContain(complaint);
    },
  );
});
