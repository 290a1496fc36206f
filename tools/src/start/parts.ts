import type { Databases } from './databases.ts';
import type { RunRecord } from './run-record.ts';
import type { Supervisor } from './supervisor.ts';

/** What runs, in the order it must be stopped: gateway, services, databases, and the claim on the directory. */
export class Parts {
  gateway: Supervisor | undefined;
  readonly services: Supervisor[] = [];
  readonly debuggers = new Map<string, string>();
  databases: Databases | undefined;
  readonly #record: RunRecord;
  #stopped: Promise<void> | undefined;

  constructor(record: RunRecord) {
    this.#record = record;
  }

  get #all(): Supervisor[] {
    return [this.databases?.server, ...this.services, this.gateway].filter((part) => part !== undefined);
  }

  /** One may end while another is waited for. */
  async whenServing(): Promise<void> {
    while (!this.#all.every((part) => part.isServing)) {
      await Promise.all(this.#all.map((part) => part.whenServing()));
    }
  }

  restart(name: string): void {
    this.#all.find((part) => part.name === name)?.restart();
  }

  stop(): Promise<void> {
    return (this.#stopped ??= this.#stopInOrder());
  }

  async #stopInOrder(): Promise<void> {
    await this.gateway?.stop();
    await Promise.all(this.services.map((service) => service.stop()));
    await this.databases?.server?.stop();
    await this.#record.release();
  }
}
