import { createContext, use, useEffect, useState } from 'react';
import { unsaved, type UnsavedPart } from './unsaved.ts';

/** The id of the dialog around. */
export const DialogContext = createContext<string | undefined>(undefined);

/** Asks before the user leaves a page while a part of it is unsaved. */
export function useUnsavedPart(part: UnsavedPart | undefined): void {
  useEffect(() => part && unsaved.watch(part));
}

/** The state of a form's mutation. */
export interface Sending {
  readonly status: 'idle' | 'pending' | 'error' | 'success';
  /** When it was last submitted; 0 if never. */
  readonly submittedAt: number;
  /** It is waiting for a connection. */
  readonly isPaused: boolean;
  /** Why it was refused. */
  readonly error: unknown;
}

const nothingSent: Sending = { status: 'idle', submittedAt: 0, isPaused: false, error: null };

/** A form, which is unsaved from the first input until it has been submitted. */
class TypedForm implements UnsavedPart {
  readonly lostWith = 'page';
  dialog: string | undefined;
  discard: (() => void) | undefined;
  #sending = nothingSent;
  /** The submission after which there was further input. */
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

  /** The submission may still succeed. */
  async save(): Promise<void> {
    if (this.#isUnderWay()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #isUnderWay(): boolean {
    return this.#sending.status === 'pending' && !this.#sending.isPaused;
  }
}

interface TypedFormOptions {
  /** Its mutation. */
  readonly sends: Sending;
  /** Whether it starts with restored unsaved input. */
  readonly isBegun: boolean;
  /** The user has left without saving. */
  readonly onDiscard: (() => void) | undefined;
}

/**
 * Asks the user before leaving the page of a form, or closing its dialog, between the first input and the end of the
 * submission.
 *
 * @returns a function that the form calls on every input
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
