import { createHash } from 'node:crypto';
import { callPeer, type PeerConfig } from '@tenantry/business-service';
import { logoBytesMax, logoPath } from '@tenantry/contracts';
import type { Logo } from './logo.ts';

/** Gets the current logo of an organization from auth-service; undefined if it has none. */
export type FetchLogo = (organizationId: string, signal: AbortSignal) => Promise<Logo | undefined>;

export function createFetchLogo(config: PeerConfig): FetchLogo {
  return async (organizationId, signal) => {
    const url = `${config.AUTH_INTERNAL_URL}${logoPath(organizationId)}`;
    const answer = await callPeer('fetch logo', url, { config, signal });
    const content = Buffer.from(await answer.arrayBuffer());
    if (answer.status === 404) return undefined;
    const mediaType = answer.headers.get('content-type');
    const isPicture = mediaType === 'image/png' || mediaType === 'image/jpeg';
    if (answer.status !== 200 || content.length > logoBytesMax || !isPicture) {
      throw new Error(`auth-service answered ${answer.status} with ${content.length} bytes for a logo`);
    }
    const digest = createHash('sha256').update(content).digest('hex');
    return { digest, mediaType, content };
  };
}
