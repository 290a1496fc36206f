import type { Client } from './client.ts';

/** Who does something, and from where, as the audit trail records it. */
export interface Actor {
  readonly userId: string;
  readonly client: Client;
}
