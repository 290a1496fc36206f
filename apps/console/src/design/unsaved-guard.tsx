import { useBlocker } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { LeaveDialog } from './leave-dialog.tsx';
import { UnsavedContext, type UnsavedForms } from './use-unsaved.ts';

/** Asks somebody who leaves a page while one of its forms has what is not saved; see {@link useUnsaved}. */
export function UnsavedGuard({ children }: { readonly children: ReactNode }) {
  const [forms] = useState<UnsavedForms>(() => new Set());
  const isUnsaved = () => [...forms].some((isFormUnsaved) => isFormUnsaved());
  const blocker = useBlocker({
    shouldBlockFn: isUnsaved,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  return (
    <UnsavedContext value={forms}>
      {children}
      {blocker.status === 'blocked' && <LeaveDialog leave={blocker.proceed} stay={blocker.reset} />}
    </UnsavedContext>
  );
}
