import { createContext, use, useEffect, useState } from 'react';
import { unsaved, type UnsavedPart } from './unsaved.ts';

/** The id of the dialog around. */
export const DialogContext = createContext<string | undefined>(undefined);

/** Asks before the user leaves a page while a part of it is unsaved. */
export function useUnsavedPart(part: UnsavedPart | undefined): void {
  useEffect(() => part && unsaved.watch(part));
}

/** How far the sending of a form has come, as its mutation says. */
export interface Sending {
  readonly status: 'idle' | 'pending' | 'error' | 'success';
  /** When it was sent last; 0 before. */
  readonly submittedAt: number;
  /** It waits for a connection. */
  readonly isPaused: boolean;
  /** Why it was refused. */
  readonly error: unknown;
}

const nothingSent: Sending = { status: 'idle', submittedAt: 0, isPaused: false, error: null };

/** A form, which is unsaved from what is typed in it to the end of its sending. */
class TypedForm implements UnsavedPart {
  readonly lostWith = 'page';
  dialog: string | undefined;
  discard: (() => void) | undefined;
  #sending = nothingSent;
  /** The sending after which something was typed. */
  #typedAfter: number | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(isBegun: boolean) {
    if (isBegun) this.type();
  }

  /** Something was typed or chosen in it. */
  readonly type = (): void => {
    this.#typedAfter = this.#sending.submittedAt;
  };

  follow(sending: Sending): void {
    this.#sending = sending;
    if (this.#isUnderWay()) return;
    for (const goOn of this.#waiting) goOn();
    this.#waiting.clear();
  }

  readonly isUnsaved = (): boolean => {
    const { status, submittedAt } = this.#sending;
    if (this.#typedAfter === undefined) return false;
    return this.#typedAfter === submittedAt || status === 'pending' || status === 'error';
  };

  /** What was sent may yet be saved. */
  async save(): Promise<void> {
    if (this.#isUnderWay()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #isUnderWay(): boolean {
    return this.#sending.status === 'pending' && !this.#sending.isPaused;
  }
}

interface TypedFormOptions {
  /** What sends it. */
  readonly sends: Sending;
  /** What was typed in it before is in it again. */
  readonly isBegun: boolean;
  /** Somebody has left without saving. */
  readonly onDiscard: (() => void) | undefined;
}

/**
 * Has nobody leave the page of a form, or close its dialog, unasked between what is typed in it and the end of its sending.
 *
 * @returns what the form calls whenever something is typed or chosen in it
 */
export function useTypedForm({ sends, isBegun, onDiscard }: TypedFormOptions): () => void {
  const [form] = useState(() => new TypedForm(isBegun));
  const dialog = use(DialogContext);
  useEffect(() => {
    form.dialog = dialog;
    form.discard = onDiscard;
    form.follow(sends);
  });
  useEffect(() => () => form.follow(nothingSent), [form]);
  useUnsavedPart(form);
  return form.type;
}
