import type { api } from '@tenantry/client';
import { useId, useState } from 'react';
import { Button } from '../design/button.tsx';
import { useWords } from '../design/language.ts';
import { SelectField } from '../design/select-field.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { useToasts } from '../design/use-toasts.ts';
import { Failure } from '../failures/failure.tsx';
import { useDirectoryGroups, useGiveRole, type RoleByGroup } from './directory.queries.ts';
import { directoryWords } from './directory.words.ts';
import styles from './domains.module.css';

interface DirectoryGroupsProps {
  readonly connection: api.Connection;
}

/** The rest is asked for; groups that have a role are always there. */
const firstShown = 10;

/** The groups of a directory, and what the people in each are. */
export function DirectoryGroups({ connection }: DirectoryGroupsProps) {
  const { groups: words } = useWords(directoryWords);
  const id = useId();
  const groups = useDirectoryGroups(connection);
  const [isWhole, setWhole] = useState(false);
  if (groups.isPending) return <Skeleton label={words.title} lines={2} />;
  if (groups.isError) return <Failure error={groups.error} onRetry={() => void groups.refetch()} />;
  const shown = groups.data.filter(({ role }, position) => isWhole || role !== null || position < firstShown);
  const hidden = groups.data.length - shown.length;
  return (
    <>
      <h4 id={id}>{words.title}</h4>
      <p>{groups.data.length === 0 ? words.none : words.about}</p>
      {groups.data.length > 0 && (
        <ul className={styles['tokens']} aria-labelledby={id}>
          {shown.map((group) => (
            <Group key={group.id} connection={connection} group={group} />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <div>
          <Button onClick={() => setWhole(true)}>{words.more(hidden)}</Button>
        </div>
      )}
    </>
  );
}

interface GroupProps extends DirectoryGroupsProps {
  readonly group: api.DirectoryGroup;
}

const roles: readonly RoleByGroup[] = [null, 'member', 'admin'];

function Group({ connection, group }: GroupProps) {
  const { groups: words } = useWords(directoryWords);
  const give = useGiveRole(connection, group);
  const toasts = useToasts();
  const { displayName, people, role } = group;
  const change = (written: string) => {
    const chosen = roles.find((one) => nameOf(one) === written) ?? null;
    give.mutate(chosen, {
      onSuccess: () => toasts.show({ text: words.done(displayName, words.roles[nameOf(chosen)]) }),
    });
  };
  return (
    <li>
      <SelectField
        name={`group-${group.id}`}
        label={displayName}
        hint={words.people(people)}
        value={nameOf(role)}
        disabled={give.isPending}
        onChange={({ target }) => change(target.value)}
      >
        {roles.map((one) => (
          <option key={nameOf(one)} value={nameOf(one)}>
            {words.roles[nameOf(one)]}
          </option>
        ))}
      </SelectField>
      {give.error !== null && <Failure error={give.error} />}
    </li>
  );
}

const nameOf = (role: RoleByGroup) => role ?? 'none';
