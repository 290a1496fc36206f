import { useWords } from '../../design/language.ts';
import { failureWords } from '../../failures/failures.words.ts';
import type { Problem } from './reading.ts';

/** Says what is wrong with a text, as the API would say it. */
export function useProblemText(): (problem: Problem | undefined) => string | undefined {
  const { rules } = useWords(failureWords);
  return (problem) => problem && rules[problem.rule](problem.params);
}
