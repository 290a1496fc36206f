import { createContext } from 'react';

/** Where a browser keeps what somebody chose in it: its local storage. */
export type Kept = Pick<Storage, 'getItem' | 'setItem'>;

/** Gives the place, asked for at each use, since a browser may refuse it; without one, choices last as long as the page. */
export const KeptContext = createContext<() => Kept | undefined>(() => undefined);
