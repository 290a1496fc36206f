import { createHash } from 'node:crypto';
import { logoBytesMax, logoPath } from '@tenantry/contracts';
import { callPeer, type PeerConfig } from '@tenantry/service/peers';
import type { Logo } from './logo.ts';

/** The logo that auth-service has of an organization, that it has none, or that a document cannot show what it has. */
export type FetchedLogo = Logo | 'none' | 'unusable';

/** Gets the current logo of an organization from auth-service. Rejects if auth-service cannot say what it is. */
export type FetchLogo = (organizationId: string, signal: AbortSignal) => Promise<FetchedLogo>;

export function createFetchLogo(config: PeerConfig): FetchLogo {
  return async (organizationId, signal) => {
    const url = `${config.AUTH_INTERNAL_URL}${logoPath(organizationId)}`;
    const answer = await callPeer('fetch logo', url, { config, signal });
    const content = Buffer.from(await answer.arrayBuffer());
    if (answer.status === 404 || answer.status === 410) return 'none';
    if (answer.status !== 200) throw new Error(`auth-service answered ${answer.status} for a logo`);
    const mediaType = answer.headers.get('content-type');
    const isPicture = mediaType === 'image/png' || mediaType === 'image/jpeg';
    if (!isPicture || content.length > logoBytesMax) return 'unusable';
    const digest = createHash('sha256').update(content).digest('hex');
    return { digest, mediaType, content };
  };
}
