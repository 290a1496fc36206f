import type { api } from '@tenantry/client';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLanguage } from '../../design/language.ts';
import { useUnsavedPart } from '../../design/use-unsaved.ts';
import { useSession } from '../../sessions/sessions.queries.ts';
import { useDraftCalls } from './draft.queries.ts';
import { draftOf } from './draft.ts';
import { progressOf, type Progress } from './progress.ts';
import { beginning } from './edits.ts';
import { Saver, type SaverState } from './saver.ts';

/** A draft as it was read. */
export interface OpenedDraft {
  readonly quote: api.Quote;
  readonly etag: string | undefined;
  /** That of the organization. */
  readonly timeZone: string;
  /** The proposed name of a package. */
  readonly firstPackage: string;
}

/** What is typed, and how far it is saved. */
export interface DraftEditing {
  readonly saver: Saver;
  readonly state: SaverState;
  readonly progress: Progress;
}

const later = (run: () => void, ms: number) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};
const newIdempotencyKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** Edits a draft, which is saved as it is typed. */
export function useDraft({ quote, etag, timeZone, firstPackage }: OpenedDraft): DraftEditing {
  const language = useLanguage();
  const reading = { language, timeZone };
  const calls = useDraftCalls(quote, reading);
  const [saver] = useState(() => {
    const read = { draft: draftOf(quote, reading), etag, totals: quote, isOpen: true };
    const made = new Saver({ quote: read, calls, language, later, newIdempotencyKey });
    made.edit(beginning(firstPackage));
    return made;
  });
  const state = useSyncExternalStore(saver.subscribe, saver.getState);
  const progress = progressOf(state, language);
  useFlushing(saver);
  useUnsavedPart({
    lostWith: 'page',
    isUnsaved: () => progressOf(saver.getState(), language).kind !== 'saved',
    save: () => saver.flush(),
  });
  return { saver, state, progress };
}

/** Saves at once what waits: when the page is hidden or left, when the connection is back, and when somebody has signed in again. */
function useFlushing(saver: Saver): void {
  useEffect(() => {
    const flush = () => void saver.flush();
    const events = ['visibilitychange', 'pagehide', 'online'] as const;
    for (const event of events) addEventListener(event, flush);
    return () => {
      for (const event of events) removeEventListener(event, flush);
      flush();
    };
  }, [saver]);
  const { ended, isElsewhere } = useSession();
  const mayGoOn = ended === undefined && !isElsewhere;
  useEffect(() => {
    if (mayGoOn) void saver.flush();
  }, [saver, mayGoOn]);
}
