import { createContext, use, useEffect, useRef } from 'react';

/** Says of each form of a page whether it has what is not saved. */
export type UnsavedForms = Set<() => boolean>;

/** The forms that a guard watches. */
export const UnsavedContext = createContext<UnsavedForms>(new Set());

/** How far the saving of a form has come, as its mutation says. */
interface Saving {
  readonly status: 'idle' | 'pending' | 'error' | 'success';
  /** When it was sent last; 0 before. */
  readonly submittedAt: number;
}

/**
 * Has the guard of the page watch a form.
 *
 * @returns what the form calls whenever something is typed or chosen in it
 */
export function useUnsaved({ status, submittedAt }: Saving): () => void {
  const forms = use(UnsavedContext);
  /** The sending after which something was changed. */
  const changedAfter = useRef<number>(undefined);
  useEffect(() => {
    const isUnsaved = () =>
      changedAfter.current === submittedAt || status === 'pending' || status === 'error';
    forms.add(isUnsaved);
    return () => void forms.delete(isUnsaved);
  }, [forms, status, submittedAt]);
  return () => {
    changedAfter.current = submittedAt;
  };
}
