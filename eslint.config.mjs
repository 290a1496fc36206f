import { existsSync, readdirSync, readFileSync } from 'node:fs';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import { consoleDoors } from './eslint.console.mjs';

const foundations = ['kind:foundation', 'kind:contract', 'kind:published', 'kind:test'];
const libraries = ['kind:platform', 'kind:kit', ...foundations];
/** The doors between projects (tags sit in each package.json). */
const doors = [
  { sourceTag: 'kind:service', onlyDependOnLibsWithTags: libraries },
  { sourceTag: 'kind:platform', onlyDependOnLibsWithTags: ['kind:kit', ...foundations] },
  { sourceTag: 'kind:kit', onlyDependOnLibsWithTags: foundations },
  { sourceTag: 'kind:foundation', onlyDependOnLibsWithTags: ['kind:test'] },
  { sourceTag: 'kind:contract', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'kind:published', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'kind:front-end', onlyDependOnLibsWithTags: ['for:front-end'] },
  { sourceTag: 'kind:test', onlyDependOnLibsWithTags: [...libraries, 'kind:dev'] },
  { sourceTag: 'kind:tool', onlyDependOnLibsWithTags: [...libraries, 'kind:dev'] },
  { sourceTag: 'kind:dev', onlyDependOnLibsWithTags: ['kind:test'] },
];

const teach = {
  statements:
    'Import it from database.ts (in a library: statements.ts): there the name of a statement leads to the types that PostgreSQL tells',
  domain:
    'Domain code knows neither HTTP nor SQL: a rule takes values and a repository, and throws coded errors.',
  routes: 'A route talks to its use cases; the database stays behind the repository.',
  repository: 'Another feature is reached through its use-case file, never through its repository.',
  services: 'Services talk by HTTP and token, never by import.',
  wing: 'A wing is entered by its door: import its index.ts, which says what it offers.',
  floor:
    'A wing knows only the wings below it: take what you need from above as a dependency, or move what both need down.',
  folder:
    'A folder of libs/service knows only the files of the folders below it: take what you need from above as an option, or move what both need down.',
  database:
    'The gateway loads this folder and has no database: work with rows, mail and connections belongs above the folder http.',
  testKit:
    'test-kit, service-tests, sql-check and dev-database never run in production: import them from tests alone.',
  testLog:
    'Under test a logger writes to testLog() of @tenantry/test-kit: npm test searches its lines for secrets.',
  hooks:
    'In beforeAll and afterAll no test is under way, and Vitest refuses expect.poll there: wait with vi.waitFor(…, patience()).',
  conflict:
    'A CONFLICT has many causes: give it a reason of libs/contracts/src/services.ts, for which clients have words.',
  requests:
    'V8 keeps requests and responses with functions of their own until the next full collection: decorate their prototype, or hand the function over.',
  process: 'Only main.ts touches process: configuration is parsed once and handed in.',
  network:
    'Other services are called by callService of libs/service, servers of others by callOutside, and mail leaves by its transport: all refuse to wait for the network inside a transaction.',
  realms:
    'A value from outside may be of another realm, as in edge runtimes, or of another copy of a library, where instanceof is false: ask for what you need of it.',
};

const http = ['fastify', '@fastify/*', 'node:http', '@tenantry/service/http'];
const sql = ['pg', '@prisma/*', '**/generated/**', '@tenantry/tenancy'];
/** What opens a connection to another process, other than the database. */
const ofNetwork = [
  'CallExpression[callee.name="fetch"]',
  'ImportDeclaration[importKind!="type"][source.value=/^(undici|nodemailer|ioredis|(node:)?(https|tls|http2|dgram|dns|dns.promises))$/]',
  'ImportDeclaration[importKind!="type"][source.value=/^(node:)?(http|net)$/] ImportSpecifier[imported.name=/^(request|get|connect|createConnection|Socket)$/]',
].map((selector) => ({ selector, message: teach.network }));
const ofConflicts = [
  {
    selector:
      'NewExpression[callee.name="ApiError"][arguments.0.value="CONFLICT"]:not(:has(Property[key.name="reason"]))',
    message: teach.conflict,
  },
];
const ofRequests = [
  {
    selector:
      'AssignmentExpression[left.object.name=/^(request|reply|response|raw)$/][right.type=/^(ArrowFunction|Function)Expression$/]',
    message: teach.requests,
  },
];
const everywhere = [
  {
    group: [
      '@tenantry/test-kit',
      '@tenantry/service-tests',
      '@tenantry/sql-check/*',
      '@tenantry/dev-database',
      '@tenantry/*/testing',
    ],
    message: teach.testKit,
  },
  {
    group: ['@tenantry/*-service', '@tenantry/gateway'],
    message: teach.services,
  },
  {
    group: ['@tenantry/tenancy'],
    importNames: ['statement', 'unscopedStatement'],
    message: teach.statements,
  },
];
const foreignRepository = { regex: '^\\.\\./.+\\.repository\\.ts$', message: teach.repository };

/** What is published runs where others decide. Its own errors are marked, so that every copy knows them. */
const published = readdirSync(`${import.meta.dirname}/libs`).filter((name) => {
  const manifest = `${import.meta.dirname}/libs/${name}/package.json`;
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).publishConfig !== undefined;
});
const ofRealms = [
  'BinaryExpression[operator="instanceof"]:not([right.name=/^(AccessError|TokenError|UnexpectedStatus)$/])',
  'BinaryExpression > MemberExpression[property.name="constructor"]',
].map((selector) => ({ selector, message: teach.realms }));

/** The folders of services, and of the one that new ones are made from. */
const services = '{apps/*,tools/service-template}';

/** The wings of auth-service, from the ground up. Those on one floor do not know each other. */
const floors = [
  ['ground'],
  ['audit', 'events'],
  ['mail'],
  ['tokens'],
  ['sessions'],
  ['sign-in'],
  ['organizations'],
  ['accounts'],
  ['connections'],
  ['provisioning'],
];
const authService = 'apps/auth-service/src';
const insideOfWing = {
  regex: `^\\.{1,2}/(?:\\.\\./)*(?:${floors.flat().join('|')})/(?!index\\.ts$)`,
  message: teach.wing,
};

/** The folders of libs/service, from the ground up. What is above `http` needs a database; the gateway uses what is below. */
const foldersOfService = [
  ['addresses', 'calls', 'metrics', 'resources', 'routes', 'tokens'],
  ['browser', 'guarded', 'health', 'logging', 'validation'],
  ['failures', 'rate-limits', 'settings'],
  ['openapi', 'peers', 'server'],
  ['http'],
  ['work'],
  ['definition', 'tenants'],
  ['audit', 'idempotency', 'organizations', 'storage'],
  ['archive', 'events'],
  ['files'],
  ['business'],
];
const libraryOfService = 'libs/service/src';
const firstWithDatabase = foldersOfService.findIndex((folders) => folders.includes('work'));
const ofDatabase = '^(?:@tenantry/tenancy|pg|nodemailer|@prisma/.*)$';

/** What is not below a folder, as its files would import it. */
function notBelow(folder, floor, ofFloors) {
  return ofFloors
    .slice(floor)
    .flat()
    .filter((other) => other !== folder)
    .map((other) => `${other}/`);
}

/** What a wing imports: the doors of the wings below it, `config.ts` and `database.ts`. */
function belowOnly(wing, floor) {
  const above = ['keys.ts$', 'main.ts$', 'service.ts$', 'wings.ts$', ...notBelow(wing, floor, floors)];
  const patterns = [insideOfWing, { regex: `^(?:\\.\\./)+(?:${above.join('|')})`, message: teach.floor }];
  return {
    files: [`${authService}/${wing}/**/*.ts`],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] },
  };
}

/** What a folder of libs/service imports: files of the folders below it, and `statements.ts`. Its index.ts is for others. */
function filesBelowOnly(folder, floor) {
  const above = ['index.ts$', '[\\w-]+/index.ts$', ...notBelow(folder, floor, foldersOfService)];
  const patterns = [
    { regex: `^(?:\\.\\./)+(?:${above.join('|')})`, message: teach.folder },
    ...(floor < firstWithDatabase ? [{ regex: ofDatabase, message: teach.database }] : []),
  ];
  return {
    files: [`${libraryOfService}/${folder}/**/*.ts`],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] },
  };
}

export default tseslint.config(
  {
    ignores: [
      '**/dist',
      '**/generated',
      '**/node_modules',
      '**/.nx-types',
      '.nx',
      '.tenantry',
      'test-results',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parser: tseslint.parser, parserOptions: { ecmaFeatures: { jsx: true } } },
    plugins: { '@nx': nx, '@typescript-eslint': tseslint.plugin },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          depConstraints: doors,
          enforceBuildableLibDependency: false,
          banTransitiveDependencies: false,
          allowCircularSelfDependency: true,
        },
      ],
    },
  },
  {
    files: [`${services}/src/**/*.ts`, 'libs/*/src/**/*.ts'],
    ignores: ['libs/{test-kit,service-tests,sql-check,dev-database}/**'],
    rules: {
      'no-restricted-imports': ['error', { patterns: everywhere }],
      'no-restricted-globals': ['error', { name: 'process', message: teach.process }],
    },
  },
  {
    files: [`${services}/src/**/*.ts`, 'libs/*/src/**/*.ts'],
    ignores: [
      'libs/{test-kit,service-tests,sql-check,dev-database}/**',
      // No database.
      'apps/gateway/**',
      'libs/jwt-verify/**',
      // Those who ask the guard.
      'libs/service/src/{calls,guarded,rate-limits}/**',
      'libs/service/src/work/mail.ts',
    ],
    rules: {
      'no-restricted-syntax': ['error', ...ofNetwork, ...ofConflicts, ...ofRequests],
    },
  },
  {
    files: ['apps/gateway/src/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...ofRequests] },
  },
  {
    files: published.map((name) => `libs/${name}/src/**/*.ts`),
    rules: { 'no-restricted-syntax': ['error', ...ofRealms, ...ofRequests] },
  },
  {
    files: ['libs/envelope/src/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...ofRealms, ...ofNetwork] },
  },
  {
    files: [`${services}/src/main.ts`, 'apps/auth-service/src/keys.ts'],
    rules: { 'no-restricted-globals': 'off' },
  },
  {
    files: [`${services}/src/*/**/*.{routes,http}.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [...everywhere, foreignRepository, { group: sql, message: teach.routes }] },
      ],
    },
  },
  {
    files: [`${services}/src/*/**/*.ts`],
    ignores: [
      '**/*.routes.ts',
      // What several routes share.
      '**/*.http.ts',
      '**/*.repository.ts',
      '**/*.schemas.ts',
      '**/*.plugin.ts',
      // HTTP is the business of the gateway.
      'apps/gateway/src/{health,proxy}/**',
    ],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [...everywhere, foreignRepository, { group: [...http, ...sql], message: teach.domain }],
        },
      ],
    },
  },
  {
    files: [`${authService}/*.ts`],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: [insideOfWing] }] },
  },
  ...floors.flatMap((wings, floor) => wings.map((wing) => belowOnly(wing, floor))),
  ...foldersOfService.flatMap((folders, floor) => folders.map((folder) => filesBelowOnly(folder, floor))),
  ...consoleDoors,
  {
    files: ['**/{test,test-system,test-long,test-images,test-chaos,test-downstream}/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CallExpression[callee.name="createLogger"]:not(:has(Property[key.name="destination"]))',
          message: teach.testLog,
        },
        {
          selector: 'Property[key.name=/^(level|LOG_LEVEL)$/][value.value="silent"]',
          message: teach.testLog,
        },
        {
          selector:
            'CallExpression[callee.name=/^(beforeAll|afterAll)$/] MemberExpression[object.name="expect"][property.name="poll"]',
          message: teach.hooks,
        },
      ],
    },
  },
);
