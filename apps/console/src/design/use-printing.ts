import { useSyncExternalStore } from 'react';

const paper = matchMedia('print');

function subscribe(listener: () => void): () => void {
  paper.addEventListener('change', listener);
  return () => paper.removeEventListener('change', listener);
}

/** Whether the page is being printed, for what is read on paper and is not on the screen. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => paper.matches);
