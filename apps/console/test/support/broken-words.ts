/** Longer than any word that a layout has to keep whole. */
const lettersMax = 18;

/** Words that are shown on two lines, which no layout of ours may do to a word of the usual length. */
export function brokenWords(): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const broken: string[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!isSeen(node.parentElement)) continue;
    for (const { 0: word, index } of (node.nodeValue ?? '').matchAll(/[\p{L}\p{N}]+/gu)) {
      if (word.length > lettersMax) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
      if (lines.size > 1) broken.push(word);
    }
  }
  return broken;
}

/** Whether somebody sees it: titles for screen readers are clipped. */
function isSeen(element: Element | null): boolean {
  if (element?.checkVisibility() !== true) return false;
  for (let each: Element | null = element; each; each = each.parentElement) {
    if (getComputedStyle(each).clipPath !== 'none') return false;
  }
  return true;
}
