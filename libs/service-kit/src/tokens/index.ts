export { LocatedTokens } from './located-tokens.ts';
export type { LocatedToken } from './located-tokens.ts';
export { bytesOfUuid, uuidOfBytes } from './uuid-bytes.ts';
