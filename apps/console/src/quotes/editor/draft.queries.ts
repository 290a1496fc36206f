import { useQueryClient } from '@tanstack/react-query';
import type { api, Tenantry } from '@tenantry/client';
import { useScope, useTenantry } from '../../sessions/sessions.queries.ts';
import { draftOf, type DraftReading } from './draft.ts';
import { quoteOf } from './quote-of.ts';
import type { SaverCalls, SendHow, Sent } from './saver.ts';
import type { Step } from './steps.ts';

/** How a draft is read and changed. */
export function useDraftCalls(opened: api.Quote, reading: DraftReading): SaverCalls {
  const [tenantry, queries, scope] = [useTenantry(), useQueryClient(), useScope()];
  const { id } = opened;
  // As it is saved now: the page shows this until it has read the quote, and without a connection nothing else.
  const keep = (quote: api.Quote, etag: string | undefined): void => {
    queries.setQueryData([scope, 'quotes', 'one', id], { quote, etag });
  };
  return {
    async read() {
      const { data: quote, etag } = await tenantry.getQuote({ path: { id } });
      keep(quote, etag);
      return { draft: draftOf(quote, reading), etag, totals: quote, isOpen: quote.status === 'draft' };
    },
    async send(step, how) {
      const sent = await sendStep(tenantry, { id, step, how });
      // Asked for again by who shows them next.
      void queries.invalidateQueries({ queryKey: [scope, 'quotes'], refetchType: 'none' });
      return sent;
    },
    onSaved: (saved, etag) => keep(quoteOf(opened, saved, reading), etag),
  };
}

interface StepCall {
  readonly id: string;
  readonly step: Step;
  readonly how: SendHow;
}

async function sendStep(tenantry: Tenantry, { id, step, how }: StepCall): Promise<Sent> {
  // It outlives the page: what was typed last is sent although somebody leaves.
  const options = { ifMatch: how.ifMatch, keepalive: true };
  const keyed = { ...options, idempotencyKey: how.idempotencyKey };
  const ofQuote = { quoteId: id };
  switch (step.kind) {
    case 'change-head': {
      const { data, etag } = await tenantry.patchQuote({ path: { id }, body: step.body, ...options });
      return { etag, totals: data };
    }
    case 'add-package': {
      const { data, etag } = await tenantry.addWorkPackage({ path: ofQuote, body: step.body, ...keyed });
      return { id: data.id, etag };
    }
    case 'change-package': {
      const path = { ...ofQuote, workPackageId: step.id };
      return tenantry.patchWorkPackage({ path, body: step.body, ...options });
    }
    case 'delete-package':
      return tenantry.deleteWorkPackage({ path: { ...ofQuote, workPackageId: step.id }, ...options });
    case 'order-packages':
      return tenantry.orderWorkPackages({ path: ofQuote, body: { ids: [...step.ids] }, ...options });
    case 'add-line': {
      const path = { ...ofQuote, workPackageId: step.packageId };
      const { data, etag } = await tenantry.addLineItem({ path, body: step.body, ...keyed });
      return { id: data.id, etag };
    }
    case 'change-line': {
      const path = { ...ofQuote, workPackageId: step.packageId, itemId: step.id };
      return tenantry.patchLineItem({ path, body: step.body, ...options });
    }
    case 'delete-line': {
      const path = { ...ofQuote, workPackageId: step.packageId, itemId: step.id };
      return tenantry.deleteLineItem({ path, ...options });
    }
    case 'order-lines': {
      const path = { ...ofQuote, workPackageId: step.packageId };
      return tenantry.orderLineItems({ path, body: { ids: [...step.ids] }, ...options });
    }
  }
}
