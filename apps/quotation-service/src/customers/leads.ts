import { callService } from '@tenantry/service/calls';
import { notifyPeer } from '@tenantry/service/events';
import type { PeerConfig } from '@tenantry/service/peers';
import type { Deliver } from '@tenantry/service/work';
import type { LeadName } from './customer.ts';

/** Finds a lead with the caller's token; undefined if there is none, or leads-service does not respond in time. */
export type FindLead = (id: string, authorization: string) => Promise<LeadName | undefined>;

/** What leads-service is told of an accepted quote, whose lead it may move. The customer may be no lead of it. */
export interface AcceptedQuoteNews {
  readonly leadId: string;
  readonly number: string;
  /** ISO 8601 UTC. */
  readonly acceptedAt: string;
}

/** Tells leads-service, as the delivery of an outbox. */
export const leadTeller = (
  config: Pick<PeerConfig, 'INTERNAL_API_KEY'> & { readonly LEADS_URL: string },
): Deliver<AcceptedQuoteNews> =>
  notifyPeer<AcceptedQuoteNews>({ config, url: `${config.LEADS_URL}/internal/quote-accepted` });

const timeoutMs = 300;

/** Asks leads-service at its base address. Its failure never fails a quote, which waits at most 300 ms. */
export function leadFinder(url: string): FindLead {
  return async (id, authorization) => {
    try {
      const answer = await callService('find lead', `${url}/api/leads/${id}`, {
        headers: { authorization },
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (answer.ok) return leadIn(await answer.json());
      await answer.body?.cancel();
    } catch {
      // Its name is empty until it is set.
    }
    return undefined;
  };
}

function leadIn(answer: unknown): LeadName | undefined {
  const { name, email } = (answer as { readonly data: Readonly<Record<string, unknown>> }).data;
  if (typeof name !== 'string') return undefined;
  return { name, ...(typeof email === 'string' && { email }) };
}
