/** The token in a link's fragment: `#token=…`. */
export const tokenIn = (fragment: string): string | undefined => fieldIn(fragment, 'token');

/** What a fragment says by a name. */
export function fieldIn(fragment: string, name: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/, '')).get(name) ?? undefined;
}
