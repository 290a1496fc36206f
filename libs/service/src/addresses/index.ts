export { addressKey, siteKey } from './address-key.ts';
export { trustIn } from './trusted-proxies.ts';
export type { PeerTrust } from './trusted-proxies.ts';
