import { shownEmail } from '@tenantry/text';
import { useEffect, useState } from 'react';
import { Avatar } from '../design/avatar.tsx';
import { Badge } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { TextField } from '../design/field.tsx';
import { useFormats, useWords } from '../design/language.ts';
import { Row, Stack } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Cell, Table, TableRow } from '../design/table.tsx';
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
      {rows.length > 0 && <PeopleTable people={rows} onManage={manage} />}
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

interface PeopleTableProps {
  readonly people: readonly Person[];
  readonly onManage: (person: Person) => void;
}

function PeopleTable({ people, onManage }: PeopleTableProps) {
  const words = useWords(peopleWords);
  const columns = [
    { name: 'name', title: words.name.title },
    { name: 'role', title: words.facts.role },
    { name: 'since', title: words.facts.since },
    { name: 'action', title: words.manage, isUntitled: true },
  ];
  return (
    <Table label={words.list} columns={columns} layout={{ ...styles, row: styles['person'] }}>
      {people.map((person) => (
        <TableRow key={person.id} className={styles['person']}>
          <Entry person={person} onManage={() => onManage(person)} />
        </TableRow>
      ))}
    </Table>
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
    <>
      <Cell className={styles['name']}>
        <Avatar name={person.name} />
        <span className={styles['who']}>
          <span>
            <bdi className={styles['called']}>{person.name}</bdi> {isOwn && <Badge>{words.you}</Badge>}{' '}
            {person.disabled && <Badge kind="problem">{words.disabled}</Badge>}
          </span>
          <span className={styles['details']}>{shownEmail(person.email)}</span>
        </span>
      </Cell>
      <Cell className={styles['role']}>
        <Badge kind={person.role === 'member' ? 'quiet' : 'strong'}>{roles[person.role]}</Badge>
      </Cell>
      <Cell className={styles['since']} isQuiet>
        {formats.day(person.since)}
      </Cell>
      <Cell className={styles['action']} isAtEnd>
        {canBeManaged && (
          <Button kind="plain" aria-label={words.manageOf(person.name)} onClick={onManage}>
            {words.manage}
          </Button>
        )}
      </Cell>
    </>
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
