import { actorWords } from '../design/actor.words.ts';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { SelectField } from '../design/select-field.tsx';
import { useWords } from '../design/language.ts';
import { usePeople } from '../people/people.queries.ts';
import { trails, type Trail } from './activity.queries.ts';
import styles from './activity.module.css';
import { organizationActivityWords } from './activity.words.ts';
import type { useActivityFilter } from './use-activity-filter.ts';

type ActivityFiltersProps = Pick<
  ReturnType<typeof useActivityFilter>,
  'chosen' | 'choose' | 'clear' | 'isFiltered'
>;

/** By person, kind and time. */
export function ActivityFilters({ chosen, choose, clear, isFiltered }: ActivityFiltersProps) {
  const { filter: words } = useWords(organizationActivityWords);
  return (
    <div role="group" aria-label={words.label} className={styles['filters']}>
      <PersonField person={chosen.person} onChoose={(person) => choose({ person })} />
      <SelectField
        name="kind"
        label={words.kind}
        value={chosen.kind}
        onChange={({ target }) => choose({ kind: target.value as Trail | '' })}
      >
        <option value="">{words.kinds.all}</option>
        {trails.map((trail) => (
          <option key={trail} value={trail}>
            {words.kinds[trail]}
          </option>
        ))}
      </SelectField>
      <TextField
        {...{ name: 'from', type: 'date', max: chosen.to || undefined, value: chosen.from }}
        label={words.from}
        onChange={({ target }) => choose({ from: target.value })}
      />
      <TextField
        {...{ name: 'to', type: 'date', min: chosen.from || undefined, value: chosen.to }}
        label={words.to}
        onChange={({ target }) => choose({ to: target.value })}
      />
      {isFiltered && (
        <div className={styles['clear']}>
          <Button kind="plain" onClick={clear}>
            {words.clear}
          </Button>
        </div>
      )}
    </div>
  );
}

interface PersonFieldProps {
  readonly person: string;
  readonly onChoose: (person: string) => void;
}

/** The organization's members, by name. A person in the URL stays selected, even if not listed here. */
function PersonField({ person, onChoose }: PersonFieldProps) {
  const { filter: words } = useWords(organizationActivityWords);
  const { unknown } = useWords(actorWords);
  const people = usePeople('').data?.pages.flatMap(({ rows }) => rows) ?? [];
  const isListed = person === '' || people.some(({ id }) => id === person);
  return (
    <SelectField
      name="person"
      label={words.person}
      value={person}
      onChange={({ target }) => onChoose(target.value)}
    >
      <option value="">{words.everybody}</option>
      {!isListed && <option value={person}>{unknown}</option>}
      {people.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
