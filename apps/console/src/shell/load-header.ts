/** Loads what is above the pages of somebody who is signed in; nobody else waits for it. */
export const loadHeader = async () => ({ default: (await import('./header.tsx')).Header });
