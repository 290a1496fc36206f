const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * An onRequest hook that normalizes the ids in paths to their stored form: readers of the audit trail or the events compare
 * text, and a UUID may be written in either case (RFC 9562, 4).
 */
export function tidyIds({ params }: { params: unknown }, _reply: unknown, done: () => void): void {
  const ids = params as Record<string, string>;
  for (const [name, id] of Object.entries(ids)) if (uuid.test(id)) ids[name] = id.toLowerCase();
  done();
}
