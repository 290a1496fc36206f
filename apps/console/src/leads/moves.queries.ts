import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useWords } from '../design/language.ts';
import { useToasts } from '../design/use-toasts.ts';
import { useUnsavedPart } from '../design/use-unsaved.ts';
import { useScope, useTenantry } from '../sessions/sessions.queries.ts';
import type { LeadStatus } from './lead-filters.ts';
import { leadWords } from './leads.words.ts';
import { Moves, newerOf, type Movable } from './moves.ts';

/** Moves leads; pending moves are sent when the page is left, the session ends or another organization becomes active. */
export function useLeadMoves() {
  const words = useWords(leadWords);
  const [tenantry, scope, queries] = [useTenantry(), useScope(), useQueryClient()];
  const toasts = useToasts();
  const [moves] = useState(
    () =>
      new Moves({
        toasts,
        textOf: ({ name }, to) => words.lead.moved(name, words.statuses[to]),
        async send({ id, name, etag }, status) {
          // What was done to it since it was moved has made a newer version.
          const read = queries.getQueryData<{ readonly etag?: string }>([scope, 'leads', 'one', id]);
          const ifMatch = newerOf(etag, read?.etag);
          const request = { path: { id }, body: { status }, ifMatch, keepalive: true };
          const moved = await tenantry.patchLead(request).catch(() => undefined);
          if (!moved) toasts.show({ text: words.lead.moveFailed(name) });
          await queries.invalidateQueries({ queryKey: [scope, 'leads'] });
          return moved?.etag;
        },
      }),
  );
  useUnsavedPart({ lostWith: 'session', isUnsaved: () => false, save: () => moves.sendAll() });
  useEffect(() => {
    const stopFollowing = onHidden(() => void moves.sendAll());
    return () => {
      stopFollowing();
      void moves.sendAll();
    };
  }, [moves]);
  const pending = useSyncExternalStore(moves.subscribe, moves.getMoves);
  return {
    pending,
    move: (lead: Movable, to: LeadStatus) => moves.move(lead, to),
    sendOf: (id: string) => moves.sendOf(id),
    sendAll: () => moves.sendAll(),
  };
}

/**
 * Runs a function when the document is closed or hidden, since phones report no more than that.
 *
 * @returns a function to remove it
 */
function onHidden(run: () => void): () => void {
  const listen = ({ target }: Event) => {
    if ((target as Document).visibilityState === 'hidden') run();
  };
  addEventListener('pagehide', run);
  addEventListener('visibilitychange', listen);
  return () => {
    removeEventListener('pagehide', run);
    removeEventListener('visibilitychange', listen);
  };
}

/** Moves of leads, and the pending ones. */
export type LeadMoves = ReturnType<typeof useLeadMoves>;
