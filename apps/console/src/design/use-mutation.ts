import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import {
  useMutation as useTanStackMutation,
  type UseMutationOptions,
  type UseMutationResult,
} from '@tanstack/react-query';

/** The second press of a double click follows the first within this. */
export const doublePressMs = 500;

/** What follows a submission. */
export interface Callbacks<Data> {
  /** Further submissions are ignored until a promise that it returns has resolved, such as that of a navigation. */
  readonly onSuccess?: (data: Data) => unknown;
}

/** Submits something, unless that is under way. */
export type Mutate<Data, Given> = (given: Given, callbacks?: Callbacks<Data>) => void;

type Without<Result, Keys extends PropertyKey> = Result extends unknown ? Omit<Result, Keys> : never;

/** The state of a mutation, and how to submit it. */
export type Mutation<Data, Given> = Without<
  UseMutationResult<Data, Error, Given>,
  'mutate' | 'mutateAsync'
> & { readonly mutate: Mutate<Data, Given> };

/**
 * A mutation that runs once at a time: a submission is ignored while the one before is under way, and until the page shows how
 * that ended. So two presses, or a press and Enter, are one submission, however slow the page and the API are.
 */
export function useMutation<Data, Given = void>(
  options: UseMutationOptions<Data, Error, Given>,
): Mutation<Data, Given> {
  const mutation = useTanStackMutation(options);
  const { mutate: send, status, submittedAt, isPending } = mutation;
  const [isGoingOn, setGoingOn] = useState(false);
  /** Set in the event itself: state would wait for the next render. */
  const isUnderWay = useRef(false);
  const last = useRef({ given: '', pressedAt: -Infinity, isDone: false });
  useLayoutEffect(() => {
    if (!isPending && !isGoingOn) isUnderWay.current = false;
  }, [status, submittedAt, isPending, isGoingOn]);

  const mutate: Mutate<Data, Given> = useCallback(
    (given, { onSuccess } = {}) => {
      const press = { given: JSON.stringify([given]), pressedAt: performance.now(), isDone: false };
      if (isUnderWay.current || isSecondPress(press, last.current)) return;
      isUnderWay.current = true;
      last.current = press;
      send(given, {
        onSuccess: (data) => {
          press.isDone = true;
          const following = onSuccess?.(data);
          if (!(following instanceof Promise)) return;
          setGoingOn(true);
          const release = () => setGoingOn(false);
          void following.then(release, release);
        },
      });
    },
    [send],
  );
  return { ...mutation, mutate, isPending: isPending || isGoingOn } as Mutation<Data, Given>;
}

interface Press {
  readonly given: string;
  readonly pressedAt: number;
  /** Whether it has succeeded; what has failed may be tried again at once. */
  readonly isDone: boolean;
}

const isSecondPress = (press: Press, last: Press): boolean =>
  last.isDone && press.given === last.given && press.pressedAt - last.pressedAt < doublePressMs;
