import { createContext } from 'react';

/** The browser's local storage, for the user's preferences. */
export type Kept = Pick<Storage, 'getItem' | 'setItem'>;

/** Gets the storage at each use, since a browser may refuse it; without it, preferences last as long as the page. */
export const KeptContext = createContext<() => Kept | undefined>(() => undefined);
