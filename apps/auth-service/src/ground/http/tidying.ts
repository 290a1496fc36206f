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
