/** Brings one text of a body into the form in which it is checked and stored. */
export type Tidy = (text: string) => string;

/** E-mail addresses are compared without regard to case or surrounding space. */
export const tidyEmail: Tidy = (text) => text.trim().toLowerCase();

/** Names are one spelling of what was typed: composed, without surrounding space. */
export const tidyName: Tidy = (text) => text.trim().normalize('NFC');

/**
 * Makes a preValidation hook that tidies the named fields, so that the schema judges what will be stored.
 *
 * @example preValidation: tidyBody({ email: tidyEmail })
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
