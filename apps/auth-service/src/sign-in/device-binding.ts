import { bindingDigest } from '@tenantry/service/browser';
import { boundDevice, type Client } from '../ground/index.ts';

/**
 * Digest of a client's device, salted with the id of what it began. Whatever sessions are bound to, the device counts and
 * the address does not: people change networks while they fetch a code.
 */
export function bindToDevice(id: string, client: Client): string {
  const party = { sessionId: id, device: boundDevice(client), address: null };
  return bindingDigest(party, 'device') ?? '';
}
