export { AddressRefused, guardedCalls, isLoopbackHost, requirePublic } from './guarded-call.ts';
export type { GuardedCall, GuardedOptions, GuardedRequest } from './guarded-call.ts';
export { isPublicAddress } from './public-addresses.ts';
