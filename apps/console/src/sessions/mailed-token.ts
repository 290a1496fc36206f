/** The token in a link's fragment: `#token=…`. */
export function tokenIn(fragment: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/, '')).get('token') ?? undefined;
}
