import { callService } from '@tenantry/service/calls';
import type { LeadName } from './customer.ts';

/** Finds a lead with the caller's token; undefined if there is none, or leads-service does not respond in time. */
export type FindLead = (id: string, authorization: string) => Promise<LeadName | undefined>;

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
