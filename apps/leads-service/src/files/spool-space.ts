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
}

/**
 * Shares the disk among the files of organizations. When it is full, the largest file of the organization that uses most is
 * dropped for one of an organization that uses less.
 */
export class SpoolSpace {
  readonly #options: SpoolSpaceOptions;
  readonly #accounts = new Set<SpoolAccount>();

  constructor(options: SpoolSpaceOptions) {
    this.#options = options;
  }

  /** The space used by all files. */
  get bytes(): number {
    return sumOf(this.#accounts);
  }

  open(file: SpooledFile): SpoolAccount {
    const account = new SpoolAccount(this, file);
    this.#accounts.add(account);
    return account;
  }

  /** @returns whether there is room for so many more bytes of an account */
  makeRoom(account: SpoolAccount, bytes: number): boolean {
    const { bytesMax, bytesPerOrganizationMax } = this.#options;
    if (!this.#accounts.has(account)) return false;
    const wanted = this.#heldBy(account.file) + bytes;
    if (wanted > bytesPerOrganizationMax) return false;
    while (this.bytes + bytes > bytesMax) {
      const largest = this.#largest();
      if (!largest || this.#heldBy(largest.file) <= wanted) return false;
      largest.close();
      largest.file.evict();
    }
    return true;
  }

  forget(account: SpoolAccount): void {
    this.#accounts.delete(account);
  }

  #heldBy({ organizationId }: SpooledFile): number {
    return sumOf([...this.#accounts].filter(({ file }) => file.organizationId === organizationId));
  }

  /** The largest droppable file, of the organization that uses most. */
  #largest(): SpoolAccount | undefined {
    const held = (account: SpoolAccount): number => this.#heldBy(account.file);
    const [largest] = [...this.#accounts]
      .filter(({ isProtected, bytes }) => !isProtected && bytes > 0)
      .toSorted((one, other) => held(other) - held(one) || other.bytes - one.bytes);
    return largest;
  }
}

/** The space used by one file. */
export class SpoolAccount {
  readonly file: SpooledFile;
  readonly #space: SpoolSpace;
  #bytes = 0;
  #isProtected = false;

  constructor(space: SpoolSpace, file: SpooledFile) {
    this.#space = space;
    this.file = file;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isProtected(): boolean {
    return this.#isProtected;
  }

  /** @returns false where there is no room for so much */
  take(bytes: number): boolean {
    if (!this.#space.makeRoom(this, bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#bytes = Math.max(0, this.#bytes - bytes);
  }

  /** From now on the file may not be dropped for others. */
  protect(): void {
    this.#isProtected = true;
  }

  /** Releases all of it. */
  close(): void {
    this.#bytes = 0;
    this.#space.forget(this);
  }
}

function sumOf(accounts: Iterable<SpoolAccount>): number {
  let sum = 0;
  for (const { bytes } of accounts) sum += bytes;
  return sum;
}
