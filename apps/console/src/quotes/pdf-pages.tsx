import { useEffect, useRef, useState } from 'react';
import type { PDFPageProxy } from 'unpdf/pdfjs';
import { loadPart } from '../design/load-part.ts';
import { useWords } from '../design/language.ts';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import styles from './preview.module.css';
import { quoteWords } from './quotes.words.ts';

interface PdfPagesProps {
  readonly pdf: Blob;
  /** What it is. */
  readonly title: string;
}

/** The pages of a PDF, as wide as their place: the viewers of browsers show them small, and those of phones not at all. */
export function PdfPages({ pdf, title }: PdfPagesProps) {
  const { pages, failure } = usePages(pdf);
  if (failure !== undefined) return <Failure error={failure} />;
  if (!pages) return <Skeleton label={title} lines={8} />;
  return (
    <div role="group" className={styles['pages']} aria-label={title}>
      {pages.map(({ page, text }) => (
        <PdfPage key={page.pageNumber} {...{ page, text }} count={pages.length} />
      ))}
    </div>
  );
}

interface ReadPage {
  readonly page: PDFPageProxy;
  /** What is written on it, for those who do not see it. */
  readonly text: string;
}

interface Read {
  readonly pages?: readonly ReadPage[];
  readonly failure?: unknown;
}

/** Reads the pages of a PDF; what became of the former one stays until this one has been read. */
function usePages(pdf: Blob): Read {
  const [read, setRead] = useState<Read>({});
  useEffect(() => {
    let isOver = false;
    readPages(pdf).then(
      (pages) => !isOver && setRead({ pages }),
      (failure: unknown) => !isOver && setRead({ failure }),
    );
    return () => void (isOver = true);
  }, [pdf]);
  return read;
}

async function readPages(pdf: Blob): Promise<readonly ReadPage[]> {
  const { getDocument } = await loadPart(() => import('unpdf/pdfjs'));
  const file = await getDocument({ data: new Uint8Array(await pdf.arrayBuffer()) }).promise;
  const numbers = Array.from({ length: file.numPages }, (_, index) => index + 1);
  return Promise.all(
    numbers.map(async (number) => {
      const page = await file.getPage(number);
      const { items } = await page.getTextContent();
      return { page, text: items.map((item) => ('str' in item ? item.str : '')).join(' ') };
    }),
  );
}

/** Of a canvas: more cannot be told apart on a screen. */
const widthMax = 2_000;

function PdfPage({ page, text, count }: ReadPage & { readonly count: number }) {
  const { pdf: words } = useWords(quoteWords);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = page.getViewport({ scale: 1 });
  useEffect(() => {
    const { current } = canvas;
    if (!current) return;
    const dots = current.clientWidth * (current.ownerDocument.defaultView?.devicePixelRatio ?? 1);
    const viewport = page.getViewport({ scale: Math.min(widthMax, Math.max(dots, width)) / width });
    current.width = viewport.width;
    current.height = viewport.height;
    const task = page.render({ canvas: current, viewport });
    // It was cancelled.
    task.promise.catch(() => undefined);
    return () => task.cancel();
  }, [page, width]);
  return (
    <figure className={styles['page']} aria-label={words.page(page.pageNumber, count)}>
      <canvas ref={canvas} style={{ aspectRatio: `${width} / ${height}` }}>
        {text}
      </canvas>
    </figure>
  );
}
