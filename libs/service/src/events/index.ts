export type { Member, Organization, PostalAddress } from '@tenantry/contracts';
export { copiesBehind } from './arrivals.ts';
export type { Arrival } from './arrivals.ts';
export { EventReader } from './event-reader.ts';
export { notifyPeer } from './notify-peer.ts';
export type { PeerMessage } from './notify-peer.ts';
export type { Projection } from './projection.ts';
