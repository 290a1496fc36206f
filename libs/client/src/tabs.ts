/** A message from one tab to the others about their shared session. */
export type News = 'signed-in' | 'signed-out' | { readonly organizationId: string };

/** Browser features that may be missing. */
const here = globalThis as {
  readonly document?: Document;
  readonly navigator?: Partial<Navigator>;
  readonly BroadcastChannel?: typeof BroadcastChannel;
};

/** The tabs of one browser share a session: they are notified of its changes, and one at a time renews it. */
export class Tabs {
  readonly #name: string;
  readonly #channel: BroadcastChannel | undefined;

  constructor(baseUrl: string, hear: (news: News) => void) {
    this.#name = `tenantry ${baseUrl}`;
    // Outside of a page an open channel would keep the program running.
    if (!here.document || !here.BroadcastChannel) return;
    this.#channel = new here.BroadcastChannel(this.#name);
    this.#channel.onmessage = ({ data }) => hear(data as News);
  }

  tell(news: News): void {
    this.#channel?.postMessage(news);
  }

  /** Runs the work while no other tab does. */
  async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const { locks } = here.navigator ?? {};
    return locks ? await locks.request(this.#name, work) : work();
  }
}
