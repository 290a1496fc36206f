export { locatedTokens } from './located-tokens.ts';
export type { LocatedToken, LocatedTokens, TokenPlace } from './located-tokens.ts';
export { bytesOfUuid, uuidOfBytes } from './uuid-bytes.ts';
