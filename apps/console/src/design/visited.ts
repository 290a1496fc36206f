import { useRouter, type AnyRouter, type ParsedLocation, type RouterHistory } from '@tanstack/react-router';
import { useEffect, type RefObject } from 'react';

/** Where somebody was: lists as they were left, and the link that was followed from each page. */
class Visited {
  /** By index in the history, the paths of its entries. */
  readonly #entries = new Map<number, string>();
  readonly #searches = new Map<string, object>();
  readonly #followed = new Map<string, string>();

  arrive({ pathname, search, state }: ParsedLocation): void {
    this.#entries.set(state.__TSR_index, pathname);
    this.#searches.set(pathname, search);
  }

  follow(from: string, link: string): void {
    this.#followed.set(from, link);
  }

  /** The link that was followed last from a page. */
  linkOn = (href: string): string | undefined => this.#followed.get(href);

  /** How a list was narrowed when it was shown last, and whether it was the page before. */
  wayBackTo(path: string, { state }: ParsedLocation) {
    const isBefore = this.#entries.get(state.__TSR_index - 1) === path;
    return { search: this.#searches.get(path) ?? {}, isBefore };
  }
}

const byRouter = new WeakMap<AnyRouter, Visited>();

/** What is known of where somebody was, by the router that led there. */
function visitedOf(router: AnyRouter): Visited {
  const visited = byRouter.get(router) ?? new Visited();
  byRouter.set(router, visited);
  return visited;
}

/** The way back to a list: how it was narrowed when it was shown last, and whether it was the page before. */
export function useWayBack(path: string) {
  const router = useRouter();
  const history = router.history as RouterHistory;
  const { search, isBefore } = visitedOf(router).wayBackTo(path, router.state.location as ParsedLocation);
  return { search, isBefore, back: () => history.back() };
}

/** Remembers where somebody was; Back has the focus on the link that was followed. */
export function useVisited(within: RefObject<HTMLElement | null>): void {
  const router = useRouter();
  useEffect(() => {
    const page = within.current?.ownerDocument;
    if (!page) return;
    const visited = visitedOf(router);
    const history = router.history as RouterHistory;
    visited.arrive(router.state.location as ParsedLocation);
    const onClick = ({ target }: MouseEvent): void => {
      const link = target instanceof Element ? target.closest('main a[href]') : null;
      if (link) visited.follow(router.state.location.href, link.getAttribute('href') ?? '');
    };
    let isBack = false;
    const returning = new Returning(page);
    page.addEventListener('click', onClick, { capture: true });
    const stops = [
      () => page.removeEventListener('click', onClick, { capture: true }),
      () => returning.stop(),
      history.subscribe(({ action }) => {
        isBack = action.type === 'BACK';
        returning.stop();
      }),
      router.subscribe('onResolved', ({ toLocation }) => {
        visited.arrive(toLocation);
        const link = visited.linkOn(toLocation.href);
        if (isBack && link !== undefined) returning.begin(link);
        isBack = false;
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [router, within]);
}

/** Waits for a link on the page that somebody returned to, unless they go on meanwhile. */
class Returning {
  readonly #page: Document;
  #stop: () => void = () => undefined;

  constructor(page: Document) {
    this.#page = page;
  }

  begin(href: string): void {
    const find = (): void => {
      const link = this.#page.querySelector<HTMLElement>(`main a[href="${CSS.escape(href)}"]`);
      if (!link) return;
      this.stop();
      link.focus({ preventScroll: true });
    };
    const stop = () => this.stop();
    const observer = new MutationObserver(find);
    observer.observe(this.#page.body, { childList: true, subtree: true });
    this.#page.addEventListener('keydown', stop);
    this.#page.addEventListener('pointerdown', stop);
    // After the heading of the page has had the focus.
    const timer = setTimeout(find);
    this.#stop = () => {
      clearTimeout(timer);
      observer.disconnect();
      this.#page.removeEventListener('keydown', stop);
      this.#page.removeEventListener('pointerdown', stop);
    };
  }

  stop(): void {
    this.#stop();
  }
}
