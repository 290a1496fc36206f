/** Copies a text; a browser may refuse, and has no clipboard unless the page was loaded by HTTPS. */
export async function tryToCopy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
