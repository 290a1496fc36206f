import { startTestPostgres } from './postgres.ts';

// A program, not a module: one PostgreSQL for every project of `npm test`. It sends the server's address to the
// process that started it and stops the server when that process lets go of the channel, or is killed.

const postgres = await startTestPostgres();
process.on('disconnect', () => void postgres.stop().then(() => process.exit()));
// Ctrl+C reaches the whole group of a terminal, and the server is still in use by tests that are ending.
process.on('SIGINT', () => undefined);
process.send?.({ adminUrl: postgres.adminUrl });
