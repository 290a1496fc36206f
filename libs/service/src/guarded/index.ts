export { AddressRefused, GuardedCalls, isLoopbackHost } from './guarded-call.ts';
export type { GuardedOptions, GuardedRequest } from './guarded-call.ts';
export { isPublicAddress } from './public-addresses.ts';
