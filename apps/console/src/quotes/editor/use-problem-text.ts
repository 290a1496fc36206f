import { useAllFailureWords } from '../../failures/use-failure-words.ts';
import type { Problem } from './reading.ts';

/** Says what is wrong with a text, as the API would say it. */
export function useProblemText(): (problem: Problem | undefined) => string | undefined {
  const { rules } = useAllFailureWords();
  return (problem) => problem && rules[problem.rule](problem.params);
}
