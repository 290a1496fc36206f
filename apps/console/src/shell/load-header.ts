/** Loads the header of pages after sign-in, so that signed-out pages do not wait for it. */
export const loadHeader = async () => ({ default: (await import('./header.tsx')).Header });

/** Loads what is said above the pages to somebody whose address is not confirmed. */
export const loadUnconfirmed = async () => ({ default: (await import('./header.tsx')).Unconfirmed });

/** What stands for a page whose files are out of reach: it came with the header, when there was a connection. */
export const loadOutOfReach = async () => ({ Page: (await import('./header.tsx')).OutOfReach });

/** Loads what the session may ask of somebody who is signed in. */
export const loadDialogs = async () => ({
  default: (await import('../sessions/dialogs.tsx')).SessionDialogs,
});

/** Loads what says to somebody who is signed in that something was done. */
export const loadToasts = async () => ({ default: (await import('../design/toasts.tsx')).Toasts });
