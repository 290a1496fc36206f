import { extractText, getDocumentProxy } from 'unpdf';

/** The text of each page as a reader selects it; every kind of space is a plain one. */
export async function textOfPages(pdf: Uint8Array): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(pdf));
  return text.map((page) => page.replace(/\s+/g, ' '));
}
