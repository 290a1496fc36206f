import type { Client } from '../ground/index.ts';

/** Who asks, and in which organization, as the peer has read it from a verified token. */
export interface Request {
  readonly organizationId: string;
  readonly actorUserId: string;
  /** From where; peers of earlier versions do not say. */
  readonly clientAddress?: string | null;
}

/** The peer knows who asks and from which address, and not by what device. */
export function clientOf({ clientAddress = null }: Pick<Request, 'clientAddress'>): Client {
  return { deviceId: null, userAgent: null, ipAddress: clientAddress };
}
