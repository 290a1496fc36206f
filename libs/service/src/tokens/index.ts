export { bytesOfUuid, LocatedTokens, uuidOfBytes } from './located-tokens.ts';
export type { LocatedToken } from './located-tokens.ts';
