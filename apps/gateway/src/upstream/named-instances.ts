import { lookup } from 'node:dns/promises';
import type { Instance } from './instance.ts';

/** Looks up the addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Repeats something until it is stopped. */
export type Every = (task: () => void) => () => void;

export interface NamedInstancesOptions {
  /** Scheme, name and port. */
  readonly origin: string;
  readonly make: (instance: { origin: string; address?: string }) => Instance;
  readonly resolve?: Resolve | undefined;
  readonly every?: Every | undefined;
  readonly onChange: () => void;
}

const refreshMs = 5_000;

const everyFewSeconds: Every = (task) => {
  const timer = setInterval(task, refreshMs).unref();
  return () => {
    clearInterval(timer);
  };
};

const resolveBySystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/**
 * The instances behind one name: one per address, with its own load and failures. The name is looked up again every few
 * seconds, to find new ones and drop old ones; if the look-up fails, the last known addresses stay.
 */
export class NamedInstances {
  readonly #options: NamedInstancesOptions;
  readonly #hostname: string;
  readonly #stop: () => void;
  /** Until the first look-up succeeds, an instance that resolves the name by itself. */
  #unresolved: Instance | undefined;
  readonly #byAddress = new Map<string, Instance>();
  #closed = false;

  constructor(options: NamedInstancesOptions) {
    this.#options = options;
    this.#hostname = new URL(options.origin).hostname;
    this.#unresolved = options.make({ origin: options.origin });
    this.#stop = (options.every ?? everyFewSeconds)(() => void this.#refresh());
    void this.#refresh();
  }

  get instances(): readonly Instance[] {
    return this.#unresolved ? [this.#unresolved] : [...this.#byAddress.values()];
  }

  close(): void {
    this.#closed = true;
    this.#stop();
    for (const instance of this.instances) instance.close();
  }

  async #refresh(): Promise<void> {
    const { resolve = resolveBySystem } = this.#options;
    const addresses = await resolve(this.#hostname).catch(() => []);
    if (addresses.length > 0 && !this.#closed) this.#take(new Set(addresses));
  }

  #take(addresses: ReadonlySet<string>): void {
    const { origin, make, onChange } = this.#options;
    const gone = [...this.#byAddress].filter(([address]) => !addresses.has(address));
    const added = [...addresses].filter((address) => !this.#byAddress.has(address));
    const left = [...gone.map(([, instance]) => instance), ...(this.#unresolved ? [this.#unresolved] : [])];
    if (added.length === 0 && left.length === 0) return;
    for (const [address] of gone) this.#byAddress.delete(address);
    for (const address of added) this.#byAddress.set(address, make({ origin, address }));
    this.#unresolved = undefined;
    onChange();
    for (const instance of left) instance.close();
  }
}
