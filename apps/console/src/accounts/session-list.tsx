import type { api } from '@tenantry/client';
import { Button } from '../design/button.tsx';
import { useAgo } from '../design/ago.ts';
import { useWords } from '../design/language.ts';
import { List, ListItem } from '../design/list.tsx';
import { Row, Stack } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { useDoneToast } from '../design/use-done-toast.ts';
import { Failure } from '../failures/failure.tsx';
import { useSession } from '../sessions/sessions.queries.ts';
import { useEndOthers, useEndSession, useSessionList } from './accounts.queries.ts';
import { accountWords } from './accounts.words.ts';
import { useDeviceName } from './use-device-name.ts';

/** The user's sessions: each can be ended; the current one signs out. */
export function SessionList() {
  const { sessions: words } = useWords(accountWords);
  const sessions = useSessionList();
  const endOthers = useEndOthers();
  useDoneToast(endOthers, endOthers.isSuccess ? words.ended(endOthers.data) : undefined);
  if (sessions.isPending) return <Skeleton label={words.title} lines={4} />;
  if (sessions.isError) return <Failure error={sessions.error} onRetry={() => void sessions.refetch()} />;
  const hasOthers = sessions.data.some(({ current }) => !current);
  return (
    <Stack>
      {endOthers.error !== null && <Failure error={endOthers.error} />}
      <List label={words.title}>
        {sessions.data.map((session) => (
          <SessionItem key={session.id} session={session} />
        ))}
      </List>
      {hasOthers ? (
        <Row>
          <Button kind="danger" isBusy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {words.endOthers}
          </Button>
        </Row>
      ) : (
        <p>{words.only}</p>
      )}
    </Stack>
  );
}

function SessionItem({ session }: { readonly session: api.Session }) {
  const { sessions: words } = useWords(accountWords);
  const agoOf = useAgo();
  const end = useEndSession();
  const { start } = useSession();
  const { confinedTo, current, ipAddress } = session;
  const by = start?.organizations.find(({ id }) => id === confinedTo);
  const device = useDeviceName()(session);
  const ago = agoOf(session.lastActiveAt, Date.now());
  return (
    <ListItem
      title={device}
      details={[current ? words.current : words.active(ago), ipAddress ?? '', by ? words.by(by.name) : '']}
      action={
        !current && (
          <Button
            aria-label={words.endOf(device)}
            isBusy={end.isPending}
            onClick={() => end.mutate(session.id)}
          >
            {words.end}
          </Button>
        )
      }
    >
      {end.error !== null && <Failure error={end.error} />}
    </ListItem>
  );
}
