const hourMs = 60 * 60 * 1_000;

/** The time after which a session must have been active to be alive. */
export type ActiveSince = (at: Date) => Date;

/** Hours without use after which a session ends; 0 means that it lives until it expires. */
export function idleSince(hours: number): ActiveSince {
  if (hours === 0) return () => new Date(0);
  return (at) => new Date(at.getTime() - hours * hourMs);
}
