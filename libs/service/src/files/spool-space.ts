/** Disk space for temporary files. */
export interface SpoolSpaceOptions {
  readonly bytesMax: number;
  readonly bytesPerOrganizationMax: number;
}

/** The owner of a file. */
export interface SpoolOwner {
  /** The client address as it is counted. */
  readonly address: string;
  readonly organizationId: string;
}

/** A file that uses some of the space. */
export interface SpooledFile extends SpoolOwner {
  /** Called when it has lost its space to another file. */
  readonly evict: () => void;
  bytes: number;
  /** Whether it may not be dropped for other files. */
  isProtected: boolean;
}

/**
 * Shares the disk among client addresses, and in each among its organizations. When it is full, the largest file of the
 * organization that uses most, at the address that uses most, is dropped for one of an address or organization that uses less.
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

  open(owner: SpoolOwner & Pick<SpooledFile, 'evict'>): SpooledFile {
    const file = { ...owner, bytes: 0, isProtected: false };
    this.#files.add(file);
    return file;
  }

  /** Takes free space for a file, if it is open. @returns whether there is room for so much more of it */
  takeFree(file: SpooledFile, bytes: number): boolean {
    const { bytesMax, bytesPerOrganizationMax } = this.#options;
    if (!this.#files.has(file)) return false;
    if (this.#heldBy(file) + bytes > bytesPerOrganizationMax || this.bytes + bytes > bytesMax) return false;
    file.bytes += bytes;
    return true;
  }

  /** Takes space for a file, if it is open, also that of others. @returns whether there is room for so much more of it */
  take(file: SpooledFile, bytes: number): boolean {
    const { bytesMax, bytesPerOrganizationMax } = this.#options;
    if (!this.#files.has(file) || this.#heldBy(file) + bytes > bytesPerOrganizationMax) return false;
    while (this.bytes + bytes > bytesMax) {
      const largest = this.#largestBeside(file, bytes);
      if (!largest) return false;
      this.close(largest);
      largest.evict();
    }
    return this.takeFree(file, bytes);
  }

  /** Releases all space of a file, which takes none any more. */
  close(file: SpooledFile): void {
    this.#files.delete(file);
  }

  #heldBy({ organizationId }: SpoolOwner): number {
    return sumOf([...this.#files].filter((file) => file.organizationId === organizationId));
  }

  #heldAt({ address }: SpoolOwner): number {
    return sumOf([...this.#files].filter((file) => file.address === address));
  }

  /** The largest droppable file of an owner that uses more than that of `file` would with so much more of it. */
  #largestBeside(file: SpooledFile, bytes: number): SpooledFile | undefined {
    const [atAddress, byOrganization] = [this.#heldAt(file) + bytes, this.#heldBy(file) + bytes];
    return [...this.#files]
      .filter(({ isProtected, bytes: held }) => !isProtected && held > 0)
      .map((other) => ({ other, atAddress: this.#heldAt(other), byOrganization: this.#heldBy(other) }))
      .toSorted(
        (one, next) =>
          next.atAddress - one.atAddress ||
          next.byOrganization - one.byOrganization ||
          next.other.bytes - one.other.bytes,
      )
      .find((held) =>
        held.other.address === file.address
          ? held.byOrganization > byOrganization
          : held.atAddress > atAddress,
      )?.other;
  }
}

function sumOf(files: Iterable<SpooledFile>): number {
  let sum = 0;
  for (const { bytes } of files) sum += bytes;
  return sum;
}
