import { useEffect, useRef } from 'react';
import { useToasts } from './use-toasts.ts';
import type { Sending } from './use-unsaved.ts';

/** Says in a toast that something was done, wherever the page is scrolled to; `text` undefined says nothing. */
export function useDoneToast({ status, submittedAt }: Sending, text: string | undefined): void {
  const toasts = useToasts();
  const said = useRef(0);
  useEffect(() => {
    if (status !== 'success' || said.current === submittedAt || text === undefined) return;
    said.current = submittedAt;
    toasts.show({ text });
  }, [toasts, status, submittedAt, text]);
}
