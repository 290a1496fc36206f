/** A PostgreSQL server tests may make databases on. */
export interface TestPostgres {
  /** Address of its superuser. */
  adminUrl: string;
  /** Where it came from; `shared` is the one of TEST_DATABASE_ADMIN_URL, which stop() leaves running. */
  kind: 'shared' | 'container' | 'embedded';
  stop: () => Promise<void>;
}
