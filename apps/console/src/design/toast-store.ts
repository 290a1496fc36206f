/** A message about an action, and how to undo it. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  /** Undoes it; omitted if it cannot be undone. */
  readonly undo?: (() => void) | undefined;
  /** Called once, when it can no longer be undone. */
  readonly onEnd?: (() => void) | undefined;
}

/** Timers, replaceable in tests. */
export interface ToastClock {
  readonly after: (ms: number, run: () => void) => () => void;
}

const clockOfBrowser: ToastClock = {
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** How long an action can be undone. */
const shownMs = 5_000;

/** Temporary messages about recent actions. */
export class ToastStore {
  readonly #clock: ToastClock;
  readonly #listeners = new Set<() => void>();
  readonly #stops = new Map<number, () => void>();
  #toasts: readonly Toast[] = [];
  #lastId = 0;

  constructor(clock: ToastClock = clockOfBrowser) {
    this.#clock = clock;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly getToasts = (): readonly Toast[] => this.#toasts;

  /** Shows a message for five seconds. One that cannot be undone takes the place of another such. */
  show(toast: Omit<Toast, 'id'>): number {
    if (toast.undo === undefined) {
      for (const { id, undo } of this.#toasts) if (undo === undefined) this.end(id);
    }
    this.#lastId += 1;
    const id = this.#lastId;
    this.#set([...this.#toasts, { ...toast, id }]);
    this.release(id);
    return id;
  }

  /** Pauses its timer while the pointer or focus is on it. */
  hold(id: number): void {
    this.#stops.get(id)?.();
    this.#stops.delete(id);
  }

  /** Restarts its timer. */
  release(id: number): void {
    this.hold(id);
    if (this.#toasts.some((toast) => toast.id === id)) {
      this.#stops.set(
        id,
        this.#clock.after(shownMs, () => this.end(id)),
      );
    }
  }

  /** It can no longer be undone. */
  end(id: number): void {
    this.#take(id)?.onEnd?.();
  }

  /** Undoes the action instead of completing it. */
  undo(id: number): void {
    this.#take(id)?.undo?.();
  }

  #take(id: number): Toast | undefined {
    this.hold(id);
    const toast = this.#toasts.find((each) => each.id === id);
    this.#set(this.#toasts.filter((each) => each !== toast));
    return toast;
  }

  #set(toasts: readonly Toast[]): void {
    this.#toasts = toasts;
    for (const listener of this.#listeners) listener();
  }
}
