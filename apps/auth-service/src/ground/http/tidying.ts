import { isUuid } from '../callers/caller.ts';

/** Normalizes a text of a body before it is checked. */
type Tidy = (text: string) => string;

/**
 * Makes a preValidation hook that tidies the named fields, so that the schema judges what will be stored.
 *
 * @example preValidation: tidyBody({ code: tidyCode })
 */
export function tidyBody(fields: Readonly<Record<string, Tidy>>) {
  return ({ body }: { body?: unknown }, _reply: unknown, done: () => void): void => {
    if (typeof body === 'object' && body !== null) {
      const texts = body as Record<string, unknown>;
      for (const [name, tidy] of Object.entries(fields)) {
        const text = texts[name];
        if (typeof text === 'string') texts[name] = tidy(text);
      }
    }
    done();
  };
}

/**
 * An onRequest hook that normalizes the ids in paths to their stored form: readers of the audit trail or the events compare
 * text, and a UUID may be written in either case (RFC 9562, 4).
 */
export function tidyIds({ params }: { params: unknown }, _reply: unknown, done: () => void): void {
  const ids = params as Record<string, string>;
  for (const [name, id] of Object.entries(ids)) if (isUuid(id)) ids[name] = id.toLowerCase();
  done();
}
