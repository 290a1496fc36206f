const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads bytes as a JSON object whose every name is used once, or throws.
 *
 * `JSON.parse` keeps the last of two equal names while other readers keep the first: a token that two
 * readers understand differently is refused (RFC 7515 section 4, RFC 7519 section 4, RFC 8725 section 2.3).
 */
export function parseStrictObject(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const text = utf8.decode(bytes);
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SyntaxError('not a JSON object');
  }
  const repeated = repeatedName(text);
  if (repeated !== undefined) throw new SyntaxError(`the name ${JSON.stringify(repeated)} is used twice`);
  return value as Record<string, unknown>;
}

/** The first name that some object of this JSON text uses twice. The text must be valid JSON. */
function repeatedName(json: string): string | undefined {
  // One entry per open bracket: the names seen in that object, null for an array.
  const open: (Set<string> | null)[] = [];
  let nameExpected = false;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case '{':
        open.push(new Set());
        nameExpected = true;
        break;
      case '[':
        open.push(null);
        nameExpected = false;
        break;
      case '}':
      case ']':
        open.pop();
        nameExpected = false;
        break;
      case ',':
        nameExpected = open.at(-1) !== null;
        break;
      case '"': {
        const end = endOfString(json, at);
        if (nameExpected) {
          const name = nameBetween(json, at, end);
          const names = open.at(-1);
          if (names?.has(name)) return name;
          names?.add(name);
          nameExpected = false;
        }
        at = end;
      }
    }
  }
  return undefined;
}

/** The position of the quote that closes the string opened at `start`. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

/** The name as a reader sees it: `"\u0065xp"` is `exp`. */
function nameBetween(json: string, start: number, end: number): string {
  const raw = json.slice(start + 1, end);
  return raw.includes('\\') ? (JSON.parse(json.slice(start, end + 1)) as string) : raw;
}
