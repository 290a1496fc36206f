/** The visible part of a long list. */
export interface RowWindow {
  /** The first row that is drawn. */
  readonly first: number;
  /** The row after the last one. */
  readonly end: number;
}

/** The position of a list, in CSS pixels. */
export interface ScrollPlace {
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
}

/** Rows that are rendered beyond both edges, so that scrolling shows no gaps. */
const beyond = 6;

/** Which rows are drawn: those on screen and a few more. */
export function windowOfRows({ top, height, rowHeight, count }: ScrollPlace): RowWindow {
  const first = Math.max(0, Math.floor(top / rowHeight) - beyond);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + beyond);
  return { first: Math.min(first, Math.max(0, count)), end: Math.max(end, 0) };
}

/** The pages, from 1, that hold these rows. */
export function pagesOf({ first, end }: RowWindow, pageSize: number): number[] {
  if (end <= first) return [];
  const [from, to] = [Math.floor(first / pageSize), Math.floor((end - 1) / pageSize)];
  return Array.from({ length: to - from + 1 }, (_, n) => from + n + 1);
}
