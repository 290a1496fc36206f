/** What `--help` prints of programs that have nothing to say about it themselves; none of them does anything then. */
const helpTexts = {
  test: `npm test                          lint, types and tests of everything, on a real PostgreSQL
npm test -- leads-service         all checks of one project
npm run test:slow                 the test files that take longest
npm run test:browser              the console and the client in Chromium
npm run test:system               whole services as processes
npm run test:long                 npm start in all its ways, backup and restore; properties in full
npm run test:chaos                crashes, restarts and bad networks under load
npm run test:chaos -- --short     the same, each for a shorter time
npm run test:downstream           what others build on this: services that are new, projects with its packages
npm run vitest -- <path> --run    the tests of one file or folder

Environment:
  TEST_INFRA=embedded             PostgreSQL from npm, even where a Docker engine answers
  TEST_INFRA=containers           PostgreSQL and Redis from containers, and an error where there are none
  TEST_DATABASE_ADMIN_URL         a PostgreSQL of your own, as a superuser`,

  slowly: `npm run slowly -- 0.5 npm test    a command on half a core, as on a slow machine
npm run slowly -- busy npm test   a command beside processes that take every core
npm run slowly -- 0.25 --times 10 npm run vitest -- <path> --run
                                  one test file ten times on a quarter of a core`,

  'test:images': `npm run test:images               build every image and test them, one by one and by docker-compose.yml
npm run test:images -- --required fail where there is no Docker engine, in place of skipping

Environment:
  REVISION                        the commit that the images are stamped with`,

  'test:rules': `npm run test:rules                check the rules and alerts of Prometheus with promtool
npm run test:rules -- --required  fail where promtool is missing, in place of skipping`,

  statements: `npm run statements                write the types of all SQL statements, as PostgreSQL describes them
npm run statements -- leads-service   those of one project

Environment:
  TEST_DATABASE_ADMIN_URL         a PostgreSQL of your own, as a superuser; else an embedded one`,

  keys: `npm run keys -- list              the signing keys, in the order in which they sign
npm run keys -- rotate            announce the next key; clients notice nothing
npm run keys -- remove KID        withdraw a key immediately

Environment:
  AUTH_SERVICE_DATABASE_URL, AUTH_SECRET   where the keys are; default: those of npm start, which must be running`,

  organization: `npm run organization -- import FILES --into ID
                                  import archives of an organization, of a service each, into another one that is empty;
                                  repeat it after an interruption, and invite the people afterwards

Environment:
  LEADS_SERVICE_DATABASE_URL      the database of a service (any service, named like this); default: that of npm start,
                                  which must be running`,

  bundle: `npm run bundle                    every service for production, in dist/bundle
npm run bundle -- leads-service   one of them

Environment:
  REVISION                        the commit that the bundle is stamped with`,

  guarantees: `npm run guarantees                list the security guarantees, each with its tests
npm run guarantees -- S-12        list the tests of one; fails where one has none, or a test names an unknown one`,

  configuration: `npm run configuration             write the settings of all services into docs/configuration.md`,

  client: `npm run client                    write what of @tenantry/client follows from the API: libs/client/src/generated`,

  bench: `npm run bench                     name the benches
npm run bench -- gateway          run one, with its own arguments, and print what it comes to
npm run bench -- record all       run all, keep their results and write the figures of bench/README.md
npm run bench -- --quick all      few rounds and little data, to see that they work`,

  generate: `node tools/bootstrap.mjs generate make the clients of databases whose schema has changed`,
};

/** What to print for a program that is asked how it is used; undefined where it is to be run. */
export function helpFor(name, args) {
  return args.some((arg) => arg === '--help' || arg === '-h') ? helpTexts[name] : undefined;
}
