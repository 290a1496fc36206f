const nameLengthMax = 60;

/**
 * A name as shown in a letter. Mail programs make links of text that looks like an address, even `evil.example/offer`: so in a
 * name, nothing directly follows a dot, colon, @ or slash. Some dots are dots in domain names alone (RFC 3490, 3.1).
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
