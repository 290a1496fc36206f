/** How much somebody leaves: a dialog, by its id, a page of the console, or with their session all of them. */
export type Leaving = 'page' | 'session' | { readonly dialog: string };

/** A part of a page that may hold what is not saved. */
export interface UnsavedPart {
  /** What it holds is lost by leaving this much. */
  readonly lostWith: 'page' | 'session';
  /** The dialog that it is in, by whose closing it is lost as well. */
  readonly dialog?: string | undefined;
  /** Whether something would be lost now. */
  readonly isUnsaved: () => boolean;
  /** Saves what can be saved; what fails is unsaved. */
  readonly save?: () => Promise<unknown>;
  /** Somebody leaves without saving: ends what must not continue. */
  readonly discard?: (() => unknown) | undefined;
}

/** What somebody is asked who would lose something. */
export interface LeavingQuestion {
  readonly leave: () => void;
  readonly stay: () => void;
}

/** The unsaved changes of the open page. The user is asked before leaving it. */
export class Unsaved {
  readonly #parts = new Set<UnsavedPart>();
  readonly #listeners = new Set<() => void>();
  #question: LeavingQuestion | undefined;

  /** Counts a part in. @returns what counts it out again */
  watch(part: UnsavedPart): () => void {
    this.#parts.add(part);
    return () => void this.#parts.delete(part);
  }

  /** Whether closing the tab would lose something. */
  readonly isUnsaved = (): boolean => this.#partsLostWith('session').some((part) => part.isUnsaved());

  /** Saves what can be saved, and asks where that is not all. @returns whether somebody goes */
  async mayLeave(leaving: Leaving): Promise<boolean> {
    const parts = this.#partsLostWith(leaving);
    await Promise.allSettled(parts.map(async (part) => part.save?.()));
    if (!parts.some((part) => part.isUnsaved())) return true;
    const isLeft = await this.#ask();
    if (isLeft) await Promise.allSettled(parts.map(async (part) => part.discard?.()));
    return isLeft;
  }

  /** For React, which calls them without their object. */
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
    // Of two ways out at once the later one counts.
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

/** What the console of this document has not saved. */
export const unsaved = new Unsaved();
