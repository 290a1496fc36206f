/** A rate in percent as somebody typed it, with a point or a comma; undefined where it is none. */
export function rateOf(typed: string): number | undefined {
  const text = typed.trim().replace(/\s*%$/, '').replace(',', '.');
  if (!/^\d{1,3}(?:\.\d+)?$/.test(text)) return undefined;
  const rate = Number(text);
  return rate <= 100 ? rate : undefined;
}
