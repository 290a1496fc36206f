import { deviceMark, type Client } from '../../ground/index.ts';
import type { Principal } from '../session.ts';

/**
 * Marks what is set up in a session: with the device of the session. Null if the request names another device, or the session's
 * is not named.
 */
export function markIn({ user, session }: Principal, { deviceId }: Pick<Client, 'deviceId'>): string | null {
  const isElsewhere = deviceId !== null && deviceId !== session.client.deviceId;
  return isElsewhere ? null : deviceMark(user.id, session.client);
}
