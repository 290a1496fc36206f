import { ExplainedError, migrate, readMigrateCommand } from '@tenantry/dev-database';

try {
  await migrate(readMigrateCommand(process.argv.slice(2)), { environment: process.env, print: console.log });
} catch (error) {
  console.error(error instanceof ExplainedError ? `\n${error.message}` : error);
  process.exitCode = 1;
} finally {
  // The channel to the bootstrap would keep this process for ever.
  if (process.connected) process.disconnect();
}
