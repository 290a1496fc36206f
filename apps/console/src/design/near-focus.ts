const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled)';

/** Where the focus is: an element, those around it, and what stands beside each of them. */
type Trail = readonly { readonly element: Element; readonly beside: readonly (Element | null)[] }[];

/**
 * Keeps the focus near where it was when what had it is taken out of a page, such as a line that is deleted: it moves to what
 * stood next, or else before. Without it the focus would begin anew at the top of the document.
 *
 * @returns what ends it
 */
export function keepFocusNear(page: Document): () => void {
  let trail: Trail = [];
  const follow = ({ target }: FocusEvent): void => {
    // A dialog restores the focus to what it was opened by.
    if (target instanceof Element && !target.closest('dialog')) trail = trailOf(target);
  };
  const observer = new MutationObserver(() => {
    if (trail[0]?.element.isConnected !== false) return;
    // What moves the focus itself has done so by then.
    setTimeout(() => {
      if (page.activeElement === page.body) nearestOf(trail)?.focus();
    });
  });
  page.addEventListener('focusin', follow);
  observer.observe(page.body, { childList: true, subtree: true });
  return () => {
    page.removeEventListener('focusin', follow);
    observer.disconnect();
  };
}

function trailOf(focused: Element): Trail {
  const trail = [];
  for (let element: Element | null = focused; element; element = element.parentElement) {
    trail.push({ element, beside: [element.nextElementSibling, element.previousElementSibling] });
    if (element.matches('main')) return trail;
  }
  // Outside of a page, such as in a menu.
  return [];
}

/** What can have the focus beside the outermost part that is gone; nothing once the page itself is. */
function nearestOf(trail: Trail): HTMLElement | undefined {
  const { element: page } = trail.at(-1) ?? {};
  if (!page?.isConnected) return undefined;
  const gone = trail.filter(({ element }) => !element.isConnected).at(-1);
  const around = trail.find(({ element }) => element.isConnected)?.element;
  const places = [...(gone?.beside ?? []), around].filter((place) => place?.isConnected);
  return places
    .map((place) => place?.querySelector<HTMLElement>('[data-takes-focus]') ?? firstIn(place))
    .find((found) => found !== undefined);
}

const firstIn = (place: Element | null | undefined): HTMLElement | undefined =>
  [...(place?.querySelectorAll<HTMLElement>(focusable) ?? [])].find((each) => each.checkVisibility());
