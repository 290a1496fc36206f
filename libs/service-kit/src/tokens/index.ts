export { LocatedTokens } from './located-tokens.ts';
export type { LocatedToken, TokenPlace } from './located-tokens.ts';
export { bytesOfUuid, uuidOfBytes } from './uuid-bytes.ts';
