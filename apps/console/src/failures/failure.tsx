import { use, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { Button } from '../design/button.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { useLanguage, useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { failureWords, laterFailureWords } from './failures.words.ts';
import { problemOf, sentencesOf, type Problem } from './problem.ts';
import { joined, saysAll } from './use-failure-words.ts';

/** The error to show; undefined if there is none. */
export function useProblem(error: unknown): Problem | undefined {
  const words = useWordsFor(error);
  return error === undefined || error === null ? undefined : problemOf(error, words);
}

/** The words for an error: what the words of every page do not say is loaded where that has not been done. */
function useWordsFor(error: unknown) {
  const language = useLanguage();
  const first = useWords(failureWords);
  return saysAll(first, error) ? first : joined(first, use(laterFailureWords.load(language)));
}

interface FailureProps {
  readonly error: unknown;
  /** Offers to try again. */
  readonly onRetry?: (() => void) | undefined;
}

/** An error, shown where it occurred: what to do, how long to wait, and the request id to report. */
export function Failure({ error, onRetry }: FailureProps) {
  const words = useWordsFor(error);
  const problem = problemOf(error, words);
  const { requestId, retryAfterSeconds } = problem;
  const left = useCountdown(retryAfterSeconds, error);
  const first = useRef<HTMLParagraphElement>(null);
  const [text = '', ...others] = sentencesOf(problem, useFieldErrors(error, first), words);
  return (
    <Notice kind="problem">
      <p ref={first}>
        {text} {left > 0 && words.wait(left)}
      </p>
      {others.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {requestId !== undefined && <RequestId id={requestId} />}
      {onRetry && (
        <div>
          <Button onClick={onRetry} disabled={left > 0}>
            {words.tryAgain}
          </Button>
        </div>
      )}
    </Notice>
  );
}

/** The messages beside fields, once they are shown: what no field shows is said in the notice. */
function useFieldErrors(error: unknown, within: RefObject<HTMLElement | null>): ReadonlySet<string> {
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  useLayoutEffect(() => {
    const messages = within.current?.ownerDocument.querySelectorAll('[data-field-error]') ?? [];
    setShown(new Set(Array.from(messages, ({ textContent }) => textContent)));
  }, [error, within]);
  return shown;
}

/** Seconds left, counted down again from each failure. */
function useCountdown(seconds: number | undefined, error: unknown): number {
  const [left, setLeft] = useState(seconds ?? 0);
  useEffect(() => {
    const endsAt = Date.now() + (seconds ?? 0) * 1_000;
    const update = () => setLeft(Math.max(0, Math.ceil((endsAt - Date.now()) / 1_000)));
    update();
    const timer = setInterval(update, 1_000);
    return () => clearInterval(timer);
  }, [seconds, error]);
  return left;
}

function RequestId({ id }: { readonly id: string }) {
  const words = useWords(failureWords);
  return (
    <p>
      {words.requestId}: <code>{id}</code> <CopyButton text={id} words={words} />
    </p>
  );
}
