import { useCallback, useEffect, useState, type RefObject } from 'react';
import { windowOfRows, type RowWindow } from './window-of-rows.ts';

/** Scrolling has stopped after this time without movement. */
const restMs = 120;

export interface RowWindowOptions {
  /** What scrolls. */
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  /** Of every row, in rem. */
  readonly rowRem: number;
}

/** Tracks the visible part of a long list. */
export interface UsedRowWindow {
  readonly drawn: RowWindow;
  /** The position where scrolling has stopped, for loading rows. */
  readonly resting: RowWindow;
  readonly rowHeight: number;
  /** Scrolls until a row is in sight. */
  readonly reveal: (index: number) => void;
}

/** Draws the rows of a long list that are on screen, each of the same height. */
export function useRowWindow({ scroller, count, rowRem }: RowWindowOptions): UsedRowWindow {
  const [place, setPlace] = useState({ top: 0, height: 800, rowHeight: rowRem * 16 });
  const [rested, setRested] = useState(place);
  useEffect(() => {
    const { current } = scroller;
    if (!current) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      const now = {
        top: current.scrollTop,
        height: current.clientHeight,
        rowHeight: rowRem * remOf(current),
      };
      setPlace(now);
      clearTimeout(timer);
      timer = setTimeout(() => setRested(now), restMs);
    };
    follow();
    const resized = new ResizeObserver(follow);
    resized.observe(current);
    current.addEventListener('scroll', follow, { passive: true });
    return () => {
      clearTimeout(timer);
      resized.disconnect();
      current.removeEventListener('scroll', follow);
    };
  }, [scroller, rowRem]);
  const { rowHeight } = place;
  const reveal = useCallback(
    (index: number) => {
      const { current } = scroller;
      if (!current) return;
      const [top, bottom] = [index * rowHeight, (index + 1) * rowHeight];
      const { scrollTop, clientHeight } = current;
      if (top < scrollTop) current.scrollTop = top;
      else if (bottom > scrollTop + clientHeight) current.scrollTop = bottom - clientHeight;
    },
    [scroller, rowHeight],
  );
  return {
    drawn: windowOfRows({ ...place, count }),
    resting: windowOfRows({ ...rested, count }),
    rowHeight,
    reveal,
  };
}

/** The root's size of letters, which readers may have made larger. */
const remOf = ({ ownerDocument }: HTMLElement): number =>
  Number.parseFloat(getComputedStyle(ownerDocument.documentElement).fontSize);
