const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * An onRequest hook that brings the ids in paths into the form in which they are stored and told: whoever reads the
 * audit trail or the events compares text, and a UUID may be typed in either case (RFC 9562, 4).
 */
export function tidyIds({ params }: { params: unknown }, _reply: unknown, done: () => void): void {
  const ids = params as Record<string, string>;
  for (const [name, id] of Object.entries(ids)) if (uuid.test(id)) ids[name] = id.toLowerCase();
  done();
}
