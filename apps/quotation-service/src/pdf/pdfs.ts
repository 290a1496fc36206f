import { extname } from 'node:path';
import { ApiError } from '@tenantry/envelope';
import { Piscina } from 'piscina';
import { fitsPdf, tooLargeForPdf } from './pdf-size.ts';
import type { PdfTask } from './pdf.worker.ts';

/** Makes PDFs beside the requests, not in their way. */
export interface Pdfs {
  /**
   * The PDF of a quote.
   *
   * @throws {ApiError} UPSTREAM_UNAVAILABLE when as many wait as may, or when one takes too long.
   * @throws {ApiError} QUOTE_TOO_LARGE_FOR_PDF for one that is too large, known beforehand or when its thread ends of it.
   */
  readonly make: (task: PdfTask) => Promise<Uint8Array>;
  /** Ends the threads. */
  readonly close: () => Promise<void>;
}

/** How many PDFs are made at a time, and how many may wait. */
export interface PdfLimits {
  readonly threads: number;
  readonly waiting: number;
  /** How long one may take, its time in the queue included. */
  readonly timeoutSeconds: number;
  /** Beyond it the thread ends, and another takes its place. */
  readonly heapMegabytesMax: number;
}

// A worker is a file of its own: the source while developing, compiled beside this file otherwise.
const extension = extname(import.meta.url);

/** Makes the threads; they begin with the first PDF and end when there is nothing to do. */
export function createPdfs({ threads, waiting, timeoutSeconds, heapMegabytesMax }: PdfLimits): Pdfs {
  const pool = new Piscina({
    filename: new URL(`./pdf.worker${extension}`, import.meta.url).href,
    name: 'makePdf',
    minThreads: 0,
    maxThreads: threads,
    maxQueue: waiting,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
    ...(extension === '.ts' && { execArgv: ['--conditions=@tenantry/source'] }),
  });
  return {
    async make(task) {
      if (!fitsPdf(task.quote)) throw tooLargeForPdf();
      // Asked here, because the pool's own refusal is known by its text alone.
      if (pool.queueSize >= waiting) throw noPdfNow();
      const signal = AbortSignal.timeout(timeoutSeconds * 1_000);
      try {
        return (await pool.run(task, { signal })) as Uint8Array;
      } catch (error) {
        if (signal.aborted) throw noPdfNow(error);
        throw isOutOfMemory(error) ? tooLargeForPdf(error) : error;
      }
    },
    close: () => pool.destroy(),
  };
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const noPdfNow = (cause?: unknown) =>
  new ApiError(
    'UPSTREAM_UNAVAILABLE',
    'Too many PDFs are being made right now. Try again in a few seconds.',
    {
      headers: { 'retry-after': '5' },
      cause,
    },
  );
