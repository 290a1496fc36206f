import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Page as Frame, Row, Stack } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import { ActivityFilters } from './activity-filters.tsx';
import { organizationActivityWords } from './activity.words.ts';
import { Timeline } from './timeline.tsx';
import { useActivityFilter } from './use-activity-filter.ts';
import { useMergedTrails, type MergedTrails } from './use-merged-trails.ts';

/** The events of the organization: people, leads and quotes in one list. */
export function Page() {
  const words = useWords(organizationActivityWords);
  const filtering = useActivityFilter();
  const { chosen, filter, isFiltered, clear } = filtering;
  const activity = useMergedTrails(chosen.kind === '' ? undefined : chosen.kind, filter);
  return (
    <Frame title={words.title}>
      <ActivityFilters {...filtering} />
      <Failed failed={activity.failed} />
      <Happenings activity={activity} onClear={isFiltered ? clear : undefined} />
    </Frame>
  );
}

/** Trails that could not be read are named, and not shown as empty. */
function Failed({ failed }: Pick<MergedTrails, 'failed'>) {
  const { filter, partly } = useWords(organizationActivityWords);
  return failed.map(({ trail, error, retry }) => (
    <Stack key={trail}>
      <Notice kind="problem">{partly(filter.kinds[trail])}</Notice>
      <Failure error={error} onRetry={retry} />
    </Stack>
  ));
}

interface HappeningsProps {
  readonly activity: MergedTrails;
  /** Undefined where nothing is filtered. */
  readonly onClear: (() => void) | undefined;
}

function Happenings({ activity, onClear }: HappeningsProps) {
  const words = useWords(organizationActivityWords);
  const { happenings, isPending, failed, hasMore, isLoadingMore, loadMore } = activity;
  if (isPending) return <Skeleton label={words.title} lines={10} />;
  if (happenings.length === 0 && !hasMore) {
    if (failed.length > 0) return null;
    return (
      <EmptyState title={onClear ? words.nothingFound : words.empty.title}>
        {onClear ? <Button onClick={onClear}>{words.filter.clear}</Button> : <p>{words.empty.text}</p>}
      </EmptyState>
    );
  }
  return (
    <Stack>
      <Timeline happenings={happenings} />
      {hasMore && (
        <Row>
          <Button isBusy={isLoadingMore} onClick={loadMore}>
            {words.more}
          </Button>
        </Row>
      )}
    </Stack>
  );
}
