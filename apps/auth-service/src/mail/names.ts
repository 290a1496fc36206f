const nameLengthMax = 60;

/** The first line of a letter; it names nobody to an address that is not proven. */
export const greeting = (name: string | null): string =>
  name === null ? 'Hello,' : `Hello ${shortened(name)},`;

/** A name of anyone's choosing, as text among ours. */
export const quoted = (name: string): string => `“${shortened(name)}”`;

/**
 * Mail programs turn what looks like an address into a link, `evil.example/offer` too: in a name, nothing follows a dot,
 * a colon, an @ or a slash at once. Some dots are dots in domain names alone (RFC 3490, 3.1).
 */
function shortened(name: string): string {
  const plain = name
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .replaceAll(/[/\\]+/g, ' ')
    .replaceAll(/[.:@\u3002\uff0e\uff61](?=\S)/gu, '$& ');
  const characters = Array.from(plain.trim());
  return characters.length <= nameLengthMax
    ? plain.trim()
    : `${characters.slice(0, nameLengthMax).join('')}…`;
}
