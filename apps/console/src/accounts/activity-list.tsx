import type { api } from '@tenantry/client';
import { Button } from '../design/button.tsx';
import { useFormats, useWords } from '../design/language.ts';
import { List, ListItem } from '../design/list.tsx';
import { Row, Stack } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import { useActivity } from './accounts.queries.ts';
import { activityWords } from './activity.words.ts';
import { useDeviceName } from './use-device-name.ts';

/** The events of the account, the latest first. */
export function ActivityList() {
  const words = useWords(activityWords);
  const activity = useActivity();
  if (activity.isPending) return <Skeleton label={words.title} lines={6} />;
  if (activity.isError) return <Failure error={activity.error} onRetry={() => void activity.refetch()} />;
  const events = activity.data.pages.flatMap(({ rows }) => rows);
  if (events.length === 0) return <p>{words.empty}</p>;
  return (
    <Stack>
      <List label={words.title}>
        {events.map((event) => (
          <ActivityItem key={event.id} event={event} />
        ))}
      </List>
      {activity.hasNextPage && (
        <Row>
          <Button isBusy={activity.isFetchingNextPage} onClick={() => void activity.fetchNextPage()}>
            {words.more}
          </Button>
        </Row>
      )}
    </Stack>
  );
}

function ActivityItem({ event }: { readonly event: api.AuditEvent }) {
  const words = useWords(activityWords);
  const formats = useFormats();
  // A newer service may return actions that this page does not know.
  const actions: Readonly<Partial<Record<string, string>>> = words.actions;
  const { action, createdAt, device, ipAddress } = event;
  const deviceName = useDeviceName()(event);
  return (
    <ListItem
      title={actions[action] ?? words.other}
      details={[formats.moment(createdAt), device === null ? '' : deviceName, ipAddress ?? '']}
    />
  );
}
