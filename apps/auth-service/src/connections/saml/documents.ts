import { extname } from 'node:path';
import { ApiError } from '@tenantry/envelope';
import { AddressedShares, NoShareError, type Asking } from '@tenantry/fair-shares';
import type { Logger } from '@tenantry/service/logging';
import { measureShares, type Measurement } from '@tenantry/service/metrics';
import { Piscina } from 'piscina';
import type { MetadataDocument } from './metadata-document.ts';
import type { MetadataFinding, ResponseFinding, ResponseTask } from './saml.worker.ts';
import { countXml, Unusable, type XmlBounds } from './xml.ts';

interface DocumentsOptions {
  readonly logger: Pick<Logger, 'warn'>;
  /** Ends the reading of a document. Default: after a second. */
  readonly endOfReading?: (() => AbortSignal) | undefined;
  /** How long a document waits for its turn. Default: 5 s. */
  readonly waitMsMax?: number | undefined;
}

/**
 * For whom a document is read: an organization at an address, which counts once however many organizations it has, or work that is
 * due, which counts once for all of them.
 */
export type Reader = Required<Pick<Asking, 'organizationId' | 'address'>> | Required<Pick<Asking, 'work'>>;

/** The slowest document within them takes 0.3 s; without them, one of 99 KiB took more than a minute. */
const responseBounds: XmlBounds = {
  bytes: 128 * 1_024,
  tags: 1_500,
  equals: 1_500,
  namespaces: 64,
  comments: false,
};
/** Nothing is canonicalized; that of Microsoft Entra ID declares a namespace at each of its many claims. */
const metadataBounds: XmlBounds = {
  bytes: 256 * 1_024,
  tags: 5_000,
  equals: 5_000,
  namespaces: 1_000,
  comments: true,
};

const heapMegabytesMax = 64;
const readingMsMax = 1_000;
/** Below what answers requests, and what works out passwords: on a busy machine these come first. */
const niceIncrement = 10;

// A worker is a separate file: the source in development, otherwise compiled next to this file.
const extension = extname(import.meta.url);

/**
 * Reads the XML of identity providers in a thread of its own, in which nothing else waits for it: organizations take turns. A document
 * that takes too long ends with the thread, which begins anew.
 */
export class Documents {
  readonly measurements: readonly Measurement[];
  readonly #turns: AddressedShares;
  readonly #pool: Piscina<unknown, unknown>;
  readonly #endOfReading: () => AbortSignal;

  constructor({ logger, endOfReading, waitMsMax = 5_000 }: DocumentsOptions) {
    this.#turns = new AddressedShares({ name: 'saml-documents', runningMax: 1, waitingMax: 64, waitMsMax });
    this.#endOfReading = endOfReading ?? (() => AbortSignal.timeout(readingMsMax));
    this.measurements = this.#turns.shares.flatMap(measureShares);
    this.#pool = new Piscina({
      filename: new URL(`./saml.worker${extension}`, import.meta.url).href,
      minThreads: 0,
      maxThreads: 1,
      niceIncrement,
      idleTimeout: 60_000,
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax },
      ...(extension === '.ts' && { execArgv: ['--conditions=@tenantry/source'] }),
    });
    this.#pool.on('error', (error) => logger.warn({ err: error as unknown }, 'a SAML thread has ended'));
  }

  /** @throws UPSTREAM_UNAVAILABLE (503, Retry-After) if its turn does not come in time */
  async readResponse(
    { document, certificates }: { readonly document: string; readonly certificates: readonly string[] },
    reader: Reader,
  ): Promise<ResponseFinding> {
    const task = (xml: string): ResponseTask => ({ xml, certificates });
    return this.#read<ResponseFinding>(
      { document, bounds: responseBounds, name: 'readResponse', task },
      reader,
    );
  }

  /** @throws Unusable; UPSTREAM_UNAVAILABLE (503, Retry-After) if its turn does not come in time */
  async readMetadata(document: string, reader: Reader): Promise<MetadataDocument> {
    const task = (xml: string): string => xml;
    const reading = { document, bounds: metadataBounds, name: 'readMetadata', task };
    const finding = await this.#read<MetadataFinding>(reading, reader);
    if (finding.kind === 'unusable') throw new Unusable(finding.problem);
    return finding.metadata;
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#pool.destroy();
  }

  async #read<Finding>(
    { document, bounds, name, task }: Reading,
    reader: Reader,
  ): Promise<Finding | { readonly kind: 'unusable'; readonly problem: string }> {
    try {
      const counted = task(countXml(document, bounds));
      return await this.#turns.run(reader, () => this.#inThread<Finding>(name, counted));
    } catch (error) {
      if (error instanceof Unusable) return { kind: 'unusable', problem: error.problem };
      throw error instanceof NoShareError ? busy(error) : error;
    }
  }

  async #inThread<Finding>(name: string, task: unknown): Promise<Finding> {
    // The time that the thread takes to begin is none of the document.
    await this.#pool.run(null, { name: 'begin' });
    const signal = this.#endOfReading();
    try {
      return (await this.#pool.run(task, { name, signal })) as Finding;
    } catch (error) {
      if (signal.aborted || isOutOfMemory(error)) throw new Unusable('too-slow');
      throw error;
    }
  }
}

/** A document, and how it is read. */
interface Reading {
  readonly document: string;
  readonly bounds: XmlBounds;
  /** Of the function in the thread. */
  readonly name: string;
  readonly task: (xml: string) => unknown;
}

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const busy = (cause: NoShareError): ApiError =>
  new ApiError('UPSTREAM_UNAVAILABLE', 'Too many sign-ins are being checked right now. Try again shortly.', {
    headers: { 'retry-after': '5' },
    cause,
  });
