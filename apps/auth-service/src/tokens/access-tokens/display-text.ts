/**
 * Truncates display text to its maximum size in a token, at a whole character, with an ellipsis.
 *
 * @param bytesMax the most bytes of its JSON string, escapes included, quotes not.
 */
export function displayText(text: string, bytesMax: number): string {
  if (weightOf(text) <= bytesMax) return text;
  let cut = '';
  let weight = weightOf(ellipsis);
  for (const character of text) {
    weight += weightOf(character);
    if (weight > bytesMax) break;
    cut += character;
  }
  return cut + ellipsis;
}

const ellipsis = '…';

function weightOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}
