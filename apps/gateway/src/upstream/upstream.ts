import { isIP } from 'node:net';
import type { Address } from '../routing/route-table.ts';
import { Instance, type InstanceOptions } from './instance.ts';
import { NamedInstances, type Every, type Resolve } from './named-instances.ts';
import { noOutcomes } from './outcomes.ts';

/** How a service is reached. */
export interface UpstreamOptions {
  readonly addresses: readonly Address[];
  /** How long an instance may stay silent. */
  readonly timeoutMs: number;
  readonly connectionsPerAddressMax?: number;
  /** Looks up the addresses of a name; the system's resolver by default. */
  readonly resolve?: Resolve;
  /** When names are looked up again; every five seconds by default. */
  readonly every?: Every;
  readonly now?: () => number;
}

/** What {@link Upstream.choose} goes by. */
export interface Choice {
  /** Those that have failed this request already. */
  readonly except: ReadonlySet<Instance> | undefined;
  /** Whether the request may be sent again if it fails. */
  readonly repeatable: boolean;
}

/** One service: its instances, and which of them is best asked now. */
export class Upstream {
  readonly timeoutMs: number;
  /** How the exchanges with its instances came out, also with those that are gone. */
  readonly outcomes = noOutcomes();
  readonly #fixed: readonly Instance[];
  readonly #named: readonly NamedInstances[];
  #instances: readonly Instance[] = [];
  #turn = 0;

  constructor(options: UpstreamOptions) {
    const { addresses, timeoutMs, connectionsPerAddressMax: connectionsMax = 2_432 } = options;
    const { resolve, every, now = () => performance.now() } = options;
    this.timeoutMs = timeoutMs;
    const make = (instance: Pick<InstanceOptions, 'origin' | 'address'>) =>
      new Instance({ ...instance, timeoutMs, connectionsMax, now, outcomes: this.outcomes });
    this.#fixed = addresses.filter(isFixed).map(make);
    this.#named = addresses
      .filter((address) => !isFixed(address))
      .map(
        ({ origin }) => new NamedInstances({ origin, make, resolve, every, onChange: () => this.#gather() }),
      );
    this.#gather();
  }

  get instances(): readonly Instance[] {
    return this.#instances;
  }

  /** The least busy instance that does well, in turn among equals; undefined when all are full or excepted. */
  choose({ except, repeatable }: Choice): Instance | undefined {
    const count = this.#instances.length;
    const only = this.#instances[0];
    if (count === 1 && only) return except?.has(only) || only.isFull ? undefined : only;

    const start = this.#turn++ % count;
    let best: Instance | undefined;
    let lastResort: Instance | undefined;
    for (let offset = 0; offset < count; offset++) {
      const instance = this.#instances[(start + offset) % count];
      if (!instance || instance.isFull || except?.has(instance)) continue;
      if (!instance.mayTake({ repeatable })) lastResort = betterResort(lastResort, instance);
      else best = lessBusy(best, instance);
    }
    return best ?? lastResort;
  }

  /** Closes every connection as soon as it carries nothing. */
  close(): void {
    for (const named of this.#named) named.close();
    for (const instance of this.#fixed) instance.close();
  }

  #gather(): void {
    this.#instances = [...this.#fixed, ...this.#named.flatMap(({ instances }) => instances)];
  }
}

function lessBusy(one: Instance | undefined, other: Instance): Instance {
  return one && one.pending <= other.pending ? one : other;
}

/** One that failed may be back, and passes a request on at once if it is not; one that leaves may take it along. */
function betterResort(one: Instance | undefined, other: Instance): Instance {
  if (!one || one.isLeaving === other.isLeaving) return lessBusy(one, other);
  return one.isLeaving ? other : one;
}

function isFixed({ origin }: Address): boolean {
  return isIP(new URL(origin).hostname.replace(/^\[|\]$/g, '')) !== 0;
}
