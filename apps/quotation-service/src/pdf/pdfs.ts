import { extname } from 'node:path';
import { ApiError } from '@tenantry/envelope';
import { AddressedShares, NoShareError, type Asking } from '@tenantry/fair-shares';
import { measureShares, type Measurement } from '@tenantry/service/metrics';
import { Piscina } from 'piscina';
import { tooLargeForPdf } from './pdf-size.ts';
import type { PdfResult, PdfTask } from './pdf.worker.ts';

/** The sharer of a PDF, and its timeout. */
export interface PdfAsked {
  readonly asking: Asking;
  /** Includes the time in the queue; typesetting is stopped after it. */
  readonly timeoutSeconds: number;
  /** Ends the wait, and the thread that is typesetting. */
  readonly signal?: AbortSignal | undefined;
}

/** Maximum PDFs in parallel, and in the queue. */
export interface PdfLimits {
  readonly threads: number;
  readonly waiting: number;
  /** Beyond it the thread ends, and is replaced. */
  readonly heapMegabytesMax: number;
  readonly logger: { warn(fields: object, message: string): void };
}

/** The timeout of a waiting client: less than the gateway's. */
export const answerTimeoutSeconds = 9;

// A worker is a separate file: the source in development, otherwise compiled next to this file.
const extension = extname(import.meta.url);

/** Creates PDFs in separate threads, which start with the first PDF and end when idle. */
export class Pdfs {
  readonly #shares: AddressedShares;
  readonly #pool: Piscina<PdfTask, PdfResult>;
  readonly measurements: readonly Measurement[];

  constructor({ threads, waiting, heapMegabytesMax, logger }: PdfLimits) {
    this.#shares = new AddressedShares({
      name: 'pdf-threads',
      runningMax: threads,
      runningPerSharerMax: Math.max(1, Math.floor(threads / 2)),
      waitingMax: waiting,
    });
    this.measurements = this.#shares.shares.flatMap(measureShares);
    this.#pool = new Piscina<PdfTask, PdfResult>({
      filename: new URL(`./pdf.worker${extension}`, import.meta.url).href,
      name: 'makePdf',
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: 30_000,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
      ...(extension === '.ts' && { execArgv: ['--conditions=@tenantry/source'] }),
    });
    // A thread may end between two PDFs, or while it starts: the PDF that waits for it then times out.
    this.#pool.on('error', (error) => logger.warn({ err: error as unknown }, 'a PDF thread has ended'));
  }

  /**
   * The PDF of a quote, in turn with those of others. The quote is read when a thread is free, so that few are in memory.
   *
   * @throws {ApiError} UPSTREAM_UNAVAILABLE if no thread was free in time, or typesetting took too long.
   * @throws {ApiError} QUOTE_TOO_LARGE_FOR_PDF for too many pages, which is known when the limit is reached, and if its thread
   * runs out of memory.
   */
  async make(
    read: () => PdfTask | Promise<PdfTask>,
    { asking, timeoutSeconds, signal: left }: PdfAsked,
  ): Promise<Uint8Array> {
    const late = AbortSignal.timeout(timeoutSeconds * 1_000);
    const signal = left ? AbortSignal.any([left, late]) : late;
    try {
      return await this.#shares.run(asking, async () => this.#typeset(await read(), signal), { signal });
    } catch (error) {
      left?.throwIfAborted();
      if (late.aborted || error instanceof NoShareError) throw noPdfNow(error);
      throw isOutOfMemory(error) ? tooLargeForPdf(error) : error;
    }
  }

  /** Ends the threads. */
  close(): Promise<void> {
    return this.#pool.destroy();
  }

  async #typeset(task: PdfTask, signal: AbortSignal): Promise<Uint8Array> {
    const result = await this.#pool.run(task, { signal });
    if (result === 'too-many-pages') throw tooLargeForPdf();
    return result;
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** No PDF was ready in time; a retry may succeed. */
export const noPdfNow = (cause?: unknown): ApiError =>
  new ApiError(
    'UPSTREAM_UNAVAILABLE',
    'Too many PDFs are being made right now. Try again in a few seconds.',
    { headers: { 'retry-after': '5' }, cause },
  );
