/** Disk space for temporary files. */
export interface SpoolSpaceOptions {
  readonly bytesMax: number;
  readonly bytesPerOrganizationMax: number;
}

/** A file that uses some of the space. */
export interface SpooledFile {
  readonly organizationId: string;
  /** Called when it has lost its space to another file. */
  readonly evict: () => void;
  bytes: number;
  /** Whether it may not be dropped for other files. */
  isProtected: boolean;
}

/**
 * Shares the disk among the files of organizations. When it is full, the largest file of the organization that uses most is
 * dropped for one of an organization that uses less.
 */
export class SpoolSpace {
  readonly #options: SpoolSpaceOptions;
  readonly #files = new Set<SpooledFile>();

  constructor(options: SpoolSpaceOptions) {
    this.#options = options;
  }

  /** The space used by all files. */
  get bytes(): number {
    return sumOf(this.#files);
  }

  open(owner: Pick<SpooledFile, 'organizationId' | 'evict'>): SpooledFile {
    const file = { ...owner, bytes: 0, isProtected: false };
    this.#files.add(file);
    return file;
  }

  /** Takes space for a file, if it is open. @returns whether there is room for so much more of it */
  take(file: SpooledFile, bytes: number): boolean {
    const { bytesMax, bytesPerOrganizationMax } = this.#options;
    if (!this.#files.has(file)) return false;
    const wanted = this.#heldBy(file) + bytes;
    if (wanted > bytesPerOrganizationMax) return false;
    while (this.bytes + bytes > bytesMax) {
      const largest = this.#largest();
      if (!largest || this.#heldBy(largest) <= wanted) return false;
      this.close(largest);
      largest.evict();
    }
    file.bytes += bytes;
    return true;
  }

  /** Releases all space of a file, which takes none any more. */
  close(file: SpooledFile): void {
    this.#files.delete(file);
  }

  #heldBy({ organizationId }: SpooledFile): number {
    return sumOf([...this.#files].filter((file) => file.organizationId === organizationId));
  }

  /** The largest droppable file, of the organization that uses most. */
  #largest(): SpooledFile | undefined {
    const [largest] = [...this.#files]
      .filter(({ isProtected, bytes }) => !isProtected && bytes > 0)
      .toSorted((one, other) => this.#heldBy(other) - this.#heldBy(one) || other.bytes - one.bytes);
    return largest;
  }
}

function sumOf(files: Iterable<SpooledFile>): number {
  let sum = 0;
  for (const { bytes } of files) sum += bytes;
  return sum;
}
