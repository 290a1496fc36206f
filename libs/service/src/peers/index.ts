export { peerAccess } from './peer-access.ts';
export { callPeer, peerSettings } from './peers.ts';
export type { PeerConfig } from './peers.ts';
