/** What the user leaves: a dialog, by its id, a page, or the session. */
export type Leaving = 'page' | 'session' | { readonly dialog: string };

/** A part of a page that may have unsaved changes. */
export interface UnsavedPart {
  /** Leaving this loses its changes. */
  readonly lostWith: 'page' | 'session';
  /** The dialog that it is in, if any; closing that also loses its changes. */
  readonly dialog?: string | undefined;
  /** Whether it has unsaved changes. */
  readonly isUnsaved: () => boolean;
  /** Saves what can be saved; the rest stays unsaved. */
  readonly save?: () => Promise<unknown>;
  /** Called if the user leaves without saving: stops pending work. */
  readonly discard?: (() => unknown) | undefined;
}

/** The question to a user with unsaved changes. */
export interface LeavingQuestion {
  readonly leave: () => void;
  readonly stay: () => void;
}

/** The unsaved changes of the open page. The user is asked before leaving it. */
export class Unsaved {
  readonly #parts = new Set<UnsavedPart>();
  readonly #listeners = new Set<() => void>();
  #question: LeavingQuestion | undefined;

  /** Registers a part. @returns a function to unregister it */
  watch(part: UnsavedPart): () => void {
    this.#parts.add(part);
    return () => void this.#parts.delete(part);
  }

  /** Whether closing the tab would lose something. */
  readonly isUnsaved = (): boolean => this.#partsLostWith('session').some((part) => part.isUnsaved());

  /** Saves what can be saved, and asks if that is not everything. @returns whether to leave */
  async mayLeave(leaving: Leaving): Promise<boolean> {
    const parts = this.#partsLostWith(leaving);
    await Promise.allSettled(parts.map(async (part) => part.save?.()));
    if (!parts.some((part) => part.isUnsaved())) return true;
    const isLeft = await this.#ask();
    if (isLeft) await Promise.allSettled(parts.map(async (part) => part.discard?.()));
    return isLeft;
  }

  /** Bound, since React calls them without their object. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly getQuestion = (): LeavingQuestion | undefined => this.#question;

  #partsLostWith(leaving: Leaving): UnsavedPart[] {
    return [...this.#parts].filter(({ lostWith, dialog }) =>
      typeof leaving === 'object' ? dialog === leaving.dialog : leaving === 'session' || lostWith === 'page',
    );
  }

  #ask(): Promise<boolean> {
    // Of two concurrent attempts to leave, the later one counts.
    this.#question?.stay();
    return new Promise((resolve) => {
      const answer = (isLeft: boolean) => () => {
        this.#show(undefined);
        resolve(isLeft);
      };
      this.#show({ leave: answer(true), stay: answer(false) });
    });
  }

  #show(question: LeavingQuestion | undefined): void {
    this.#question = question;
    for (const listener of this.#listeners) listener();
  }
}

/** The unsaved changes of this document. */
export const unsaved = new Unsaved();
