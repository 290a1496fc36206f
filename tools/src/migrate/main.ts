import { ExplainedError } from '../explained-error.ts';
import { readArguments } from './arguments.ts';
import { migrate } from './migrate.ts';

try {
  await migrate(readArguments(process.argv.slice(2)), { environment: process.env, print: console.log });
} catch (error) {
  console.error(error instanceof ExplainedError ? `\n${error.message}` : error);
  process.exitCode = 1;
} finally {
  // The channel to the bootstrap would keep this process for ever.
  if (process.connected) process.disconnect();
}
