/** Accounts: signing up, confirming and changing an address, and the end of an account. */
export { createAccounts } from './wing.ts';
export type { Accounts } from './wing.ts';
export { userAlreadyExists } from './accounts.errors.ts';
export { accountsRoutes } from './accounts.routes.ts';
export { startRoutes } from './start.routes.ts';
