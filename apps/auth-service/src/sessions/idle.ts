const hourMs = 60 * 60 * 1_000;

/** Since when a session must have been active to be alive at a moment. */
export type ActiveSince = (at: Date) => Date;

/** After how many hours without use a session has ended; 0 hours let it live until it expires. */
export function idleSince(hours: number): ActiveSince {
  if (hours === 0) return () => new Date(0);
  return (at) => new Date(at.getTime() - hours * hourMs);
}
