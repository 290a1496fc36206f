import { shownEmail } from '@tenantry/text';
import { useEffect, useState } from 'react';
import { Avatar } from '../design/avatar.tsx';
import { Badge } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { TextField } from '../design/field.tsx';
import { useFormats, useWords } from '../design/language.ts';
import { Row, Stack } from '../design/page.tsx';
import rowStyles from '../design/rows.module.css';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import { useRoleNames } from '../organizations/organizations.queries.ts';
import { abilitiesOf } from './abilities.ts';
import styles from './people.module.css';
import { usePeople, useViewer, type Person } from './people.queries.ts';
import { peopleWords } from './people.words.ts';
import { PersonDialog } from './person-dialog.tsx';

/** Rests this long after the last key before it asks. */
const pauseMs = 150;

interface PeopleListProps {
  readonly search: string;
  readonly onSearch: (search: string) => void;
  /** Undefined for those who may not. */
  readonly onInvite: (() => void) | undefined;
}

/** The people, with a search over their names and addresses. */
export function PeopleList({ search, onSearch, onInvite }: PeopleListProps) {
  const words = useWords(peopleWords);
  const [typed, setTyped] = useState(search);
  useEffect(() => {
    if (typed === search) return;
    const timer = setTimeout(() => onSearch(typed.trim()), pauseMs);
    return () => clearTimeout(timer);
  });
  const clear = () => setTyped('');
  return (
    <Stack>
      <div className={styles['search']}>
        <TextField
          name="people-search"
          type="search"
          label={words.search}
          autoComplete="off"
          maxLength={254}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </div>
      <Found search={search} onClear={clear} onInvite={onInvite} />
    </Stack>
  );
}

interface FoundProps {
  readonly search: string;
  readonly onClear: () => void;
  readonly onInvite: (() => void) | undefined;
}

function Found({ search, onClear, onInvite }: FoundProps) {
  const words = useWords(peopleWords);
  const people = usePeople(search);
  const [managed, manage] = useState<Person>();
  if (people.isPending) return <Skeleton label={words.title} lines={8} />;
  if (people.isError) return <Failure error={people.error} onRetry={() => void people.refetch()} />;
  const rows = people.data.pages.flatMap((page) => page.rows);
  const total = people.data.pages.at(-1)?.total ?? 0;
  return (
    <Stack>
      <p role="status" className={styles['count']}>
        {search === '' ? words.count(total) : words.found(total)}
      </p>
      {rows.length > 0 && (
        <ul className={`${rowStyles['rows']} ${styles['list']}`} aria-label={words.list}>
          {rows.map((person) => (
            <Entry key={person.id} person={person} onManage={() => manage(person)} />
          ))}
        </ul>
      )}
      {people.hasNextPage && (
        <Row>
          <Button isBusy={people.isFetchingNextPage} onClick={() => void people.fetchNextPage()}>
            {words.more}
          </Button>
        </Row>
      )}
      {rows.length === 0 && search !== '' && <NothingFound search={search} onClear={onClear} />}
      {total === 1 && search === '' && onInvite && <Alone onInvite={onInvite} />}
      {managed && <PersonDialog person={managed} onClose={() => manage(undefined)} />}
    </Stack>
  );
}

interface EntryProps {
  readonly person: Person;
  readonly onManage: () => void;
}

function Entry({ person, onManage }: EntryProps) {
  const words = useWords(peopleWords);
  const roles = useRoleNames();
  const formats = useFormats();
  const viewer = useViewer();
  const isOwn = person.id === viewer.id;
  const canBeManaged = abilitiesOf(viewer, person).length > 0;
  return (
    <li className={`${rowStyles['row']} ${styles['person']}`}>
      <Avatar name={person.name} />
      <div className={styles['who']}>
        <p className={styles['name']}>
          <bdi>{person.name}</bdi> {isOwn && <Badge>{words.you}</Badge>}{' '}
          {person.disabled && <Badge kind="problem">{words.disabled}</Badge>}
        </p>
        <p className={styles['details']}>{shownEmail(person.email)}</p>
      </div>
      <p className={styles['role']}>
        <Badge kind={person.role === 'member' ? 'quiet' : 'strong'}>{roles[person.role]}</Badge>
      </p>
      <p className={styles['since']}>{words.since(formats.day(person.since))}</p>
      <div className={styles['action']}>
        {canBeManaged && (
          <Button aria-label={words.manageOf(person.name)} onClick={onManage}>
            {words.manage}
          </Button>
        )}
      </div>
    </li>
  );
}

function NothingFound({ search, onClear }: { readonly search: string; readonly onClear: () => void }) {
  const words = useWords(peopleWords);
  return (
    <EmptyState title={words.nothingFound(search)}>
      <Button onClick={onClear}>{words.clear}</Button>
    </EmptyState>
  );
}

/** The only member: what to do first. */
function Alone({ onInvite }: { readonly onInvite: () => void }) {
  const { alone, invite } = useWords(peopleWords);
  return (
    <EmptyState title={alone.title}>
      <p>{alone.text}</p>
      <Button onClick={onInvite}>{invite.action}</Button>
    </EmptyState>
  );
}
