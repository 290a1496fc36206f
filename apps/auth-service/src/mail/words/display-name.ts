const nameLengthMax = 60;

/**
 * A name as a letter shows it. Mail programs turn what looks like an address into a link, `evil.example/offer` too: in a
 * name, nothing follows a dot, a colon, an @ or a slash at once. Some dots are dots in domain names alone (RFC 3490, 3.1).
 */
export function displayName(name: string): string {
  const plain = name
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .replaceAll(/[/\\]+/g, ' ')
    .replaceAll(/[.:@\u3002\uff0e\uff61](?=\S)/gu, '$& ');
  const characters = Array.from(plain.trim());
  return characters.length <= nameLengthMax
    ? plain.trim()
    : `${characters.slice(0, nameLengthMax).join('')}…`;
}

/** More names than these are counted. */
export const namesMax = 100;
