/**
 * Reads text as a JSON object whose every name is used once, or throws.
 *
 * `JSON.parse` keeps the last of two equal names while other readers keep the first: a token that two
 * readers understand differently is refused (RFC 7515 section 4, RFC 7519 section 4, RFC 8725 section 2.3).
 */
export function parseStrictObject(text: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SyntaxError('not a JSON object');
  }
  // A name that is used twice is spelt twice and kept once, however it is escaped and however deep it lies.
  if (membersSpelt(text) !== membersKept(value)) throw new SyntaxError('a name is used twice');
  return value as Record<string, unknown>;
}

const quote = 0x22;
const colon = 0x3a;
const backslash = 0x5c;

/** How many members the objects of a valid JSON text have as written: the colons outside strings. */
function membersSpelt(json: string): number {
  let members = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at);
    if (character === quote) at = endOfString(json, at);
    else if (character === colon) members++;
  }
  return members;
}

/** How many members the objects of a parsed value have. */
function membersKept(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const children: unknown[] = Object.values(value);
  let members = Array.isArray(value) ? 0 : children.length;
  for (const child of children) members += membersKept(child);
  return members;
}

/** The position of the quote that closes the string opened at `start`. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end;
}

/** Whether an odd number of backslashes stands before this position. */
function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json.charCodeAt(first - 1) === backslash) first--;
  return (at - first) % 2 === 1;
}
