import { isIP } from 'node:net';
import type { Address } from '../routing/route-table.ts';
import { noOutcomes } from './failure.ts';
import { Instance, type InstanceOptions } from './instance.ts';
import { NamedInstances, type Every, type Resolve } from './named-instances.ts';

/** Options of a service. */
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

/** Criteria of {@link Upstream.choose}. */
export interface Choice {
  /** Those that have failed this request already. */
  readonly except: ReadonlySet<Instance> | undefined;
  /** Whether the request may be sent again if it fails. */
  readonly repeatable: boolean;
}

/** One service with its instances, of which it chooses one per request. */
export class Upstream {
  readonly timeoutMs: number;
  /** Outcomes of exchanges with its instances, former ones included. */
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

  /** The least busy healthy instance, round-robin among equals; undefined if all are full or excluded. */
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

/** An ejected one may be back, and fails fast otherwise; a draining one may lose the request. */
function betterResort(one: Instance | undefined, other: Instance): Instance {
  if (!one || one.isLeaving === other.isLeaving) return lessBusy(one, other);
  return one.isLeaving ? other : one;
}

function isFixed({ origin }: Address): boolean {
  return isIP(new URL(origin).hostname.replace(/^\[|\]$/g, '')) !== 0;
}
