/** The doors inside of the console: what a file may know follows from its name and its folder. */
const home = 'apps/console/src';

const teach = {
  design: 'design/ is what every noun shares, so it knows none of them.',
  noun: 'A noun is reached through its queries, and by what its fields are called: its pages and rules are its own.',
  page: 'A page asks its queries; they alone call the client.',
  client: 'There is one client, which sessions/session-store.ts makes.',
  queries: 'Queries say what there is; what it looks like is the business of a .tsx file.',
  rules: 'A rule takes values and gives values: React stays in queries, in use-*.ts and in .tsx files.',
  mutation: 'design/use-mutation.ts has the one that ignores a second press.',
  document: 'Only main.tsx touches the document; what it knows is handed in.',
};

const nouns = { regex: '^\\.\\./(?!design/)', message: teach.design };
const foreignNoun = {
  regex: '^\\.\\./(?!design/|failures/)[\\w-]+/(?!.*(?:\\.queries|-fields\\.words\\.\\w+)\\.ts$)',
  message: teach.noun,
};
const makesClient = {
  regex: '^@tenantry/client$',
  importNames: ['createTenantry'],
  message: teach.client,
};
const callsClient = {
  regex: 'sessions\\.queries\\.ts$',
  importNames: ['useTenantry'],
  message: teach.page,
};
const react = { regex: '^(react|react-dom|@tanstack)(/|$)', message: teach.rules };
const rendering = { regex: '\\.tsx$', message: teach.queries };

const mutates = {
  regex: '^@tanstack/react-query$',
  importNames: ['useMutation'],
  message: teach.mutation,
};

const imports = (...patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });
const reserved = ['document', 'window', 'location', 'history', 'localStorage', 'sessionStorage', 'indexedDB'];

export const consoleDoors = [
  {
    files: [`${home}/**/*.{ts,tsx}`],
    ignores: [`${home}/main.tsx`],
    rules: {
      'no-restricted-globals': [
        'error',
        ...reserved.map((name) => ({ name, message: teach.document })),
        { name: 'fetch', message: teach.client },
      ],
      'no-restricted-syntax': 'off',
    },
  },
  { files: [`${home}/*.{ts,tsx}`, `${home}/shell/**/*.tsx`], rules: imports(makesClient, callsClient) },
  { files: [`${home}/shell/**/*.ts`], rules: imports(makesClient, callsClient, rendering) },
  { files: [`${home}/{design,failures}/**/*.{ts,tsx}`], rules: imports(makesClient, nouns) },
  {
    files: [`${home}/*/**/*.tsx`],
    ignores: [`${home}/{design,failures,shell}/**`],
    rules: imports(makesClient, callsClient, foreignNoun, mutates),
  },
  {
    files: [`${home}/*/**/*.ts`],
    ignores: [`${home}/{design,failures,shell}/**`],
    rules: imports(makesClient, callsClient, foreignNoun, react, rendering),
  },
  {
    files: [`${home}/*/**/*.queries.ts`],
    ignores: [`${home}/{design,failures,shell}/**`],
    rules: imports(makesClient, foreignNoun, rendering, mutates),
  },
  {
    files: [`${home}/*/**/use-*.ts`],
    ignores: [`${home}/{design,failures,shell}/**`],
    rules: imports(makesClient, callsClient, foreignNoun, rendering, mutates),
  },
  { files: [`${home}/sessions/session-store.ts`], rules: imports(foreignNoun, react, rendering) },
];
