export * from './database.ts';
export * from './frontends.ts';
export * from './limits.ts';
export * from './mail.ts';
export * from './peers.ts';
export * from './standard.ts';
