import { createContext, use } from 'react';
import { ToastStore } from './toast-store.ts';

/** Where what is below finds its messages; the shell makes them. */
export const ToastsContext = createContext(new ToastStore());

/** Messages about what was just done. */
export const useToasts = (): ToastStore => use(ToastsContext);
