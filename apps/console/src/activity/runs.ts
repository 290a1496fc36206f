import type { Happening } from './activity.queries.ts';

/** What somebody did in a row: the latest, and what came before it, latest first. */
export interface Run {
  readonly latest: Happening;
  readonly earlier: readonly Happening[];
}

/**
 * Folds what one actor did in a row, the same to several things or several things to the same one.
 *
 * @param happenings of one day, latest first
 */
export function runsOf(happenings: readonly Happening[]): readonly Run[] {
  const runs: { latest: Happening; earlier: Happening[]; kind: Kind | undefined }[] = [];
  for (const happening of happenings) {
    const run = runs.at(-1);
    const kind = run && isBySame(run.latest, happening) ? kindOf(run.latest, happening) : undefined;
    if (run && kind !== undefined && (run.kind ?? kind) === kind) {
      run.earlier.push(happening);
      run.kind = kind;
    } else runs.push({ latest: happening, earlier: [], kind: undefined });
  }
  return runs;
}

/** What entries of a run have in common. */
type Kind = 'target' | 'action';

const isBySame = ({ actor: one }: Happening, { actor: other }: Happening): boolean =>
  one?.kind === other?.kind && one?.userId === other?.userId && one?.name === other?.name;

function kindOf(one: Happening, other: Happening): Kind | undefined {
  if (one.target && one.target.id === other.target?.id) return 'target';
  return one.action === other.action ? 'action' : undefined;
}
