import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../design/button.tsx';
import { Disclosure } from '../design/disclosure.tsx';
import { TextField } from '../design/field.tsx';
import { SelectField } from '../design/select-field.tsx';
import { Icon } from '../design/icon.tsx';
import { useFormats, useWords } from '../design/language.ts';
import {
  addressOf,
  furtherFilters,
  leadOrders,
  leadStatuses,
  noFilters,
  type LeadFilters,
} from './lead-filters.ts';
import pills from '../design/pills.module.css';
import styles from './leads-toolbar.module.css';
import { useLeadCounts } from './leads.queries.ts';
import { leadWords } from './leads.words.ts';
import { hrefOf, type GoToLeads, type LeadView } from './use-lead-address.ts';

interface ToolbarProps {
  readonly view: LeadView;
  readonly id: string | undefined;
  readonly filters: LeadFilters;
  readonly go: GoToLeads;
}

/** Which leads are shown, and how. */
export function LeadsToolbar({ view, filters, go }: Omit<ToolbarProps, 'id'>) {
  const change = (changed: Partial<LeadFilters>, replace = false) =>
    go({ filters: { ...filters, ...changed } }, { replace });
  return (
    <div className={styles['toolbar']}>
      <Search text={filters.search} onChange={(search) => change({ search }, true)} />
      <States filters={filters} onChange={change} hasDeleted={view === '/leads'} />
      <FurtherFilters filters={filters} onChange={change} />
    </div>
  );
}

/** Longer than between two keys of somebody who types. */
const typingMs = 150;

function Search({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) {
  const { filters: words } = useWords(leadWords);
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState(text);
  // Back, or a filter that was taken off: the address has another text than was typed.
  if (known !== text) {
    setKnown(text);
    setTyped(text);
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // What else was chosen since the last key stays chosen.
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  return (
    <input
      type="search"
      className={styles['search']}
      aria-label={words.search}
      placeholder={words.search}
      autoComplete="off"
      maxLength={254}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => {
          setKnown(target.value);
          latest.current(target.value);
        }, typingMs);
      }}
    />
  );
}

interface PartProps {
  readonly filters: LeadFilters;
  readonly onChange: (changed: Partial<LeadFilters>) => void;
}

function States({ filters, onChange, hasDeleted }: PartProps & { readonly hasDeleted: boolean }) {
  const words = useWords(leadWords);
  const formats = useFormats();
  const { data: counts } = useLeadCounts();
  const { statuses, isDeleted } = filters;
  const choices = leadStatuses.map((status) => ({
    key: status,
    name: words.statuses[status],
    count: counts?.byStatus[status],
    isOn: !isDeleted && statuses.includes(status),
    next: statuses.includes(status) ? statuses.filter((each) => each !== status) : [...statuses, status],
  }));
  return (
    <fieldset className={styles['states']}>
      <legend className={styles['legend']}>{words.filters.states}</legend>
      <Choice
        isOn={!isDeleted && statuses.length === 0}
        onChoose={() => onChange({ statuses: [], isDeleted: false })}
        count={counts && formats.number(counts.total)}
        name={words.filters.all}
      />
      {choices.map(({ key, name, count, isOn, next }) => (
        <Choice
          key={key}
          isOn={isOn}
          onChoose={() => onChange({ statuses: isDeleted ? [key] : next, isDeleted: false })}
          count={count === undefined ? undefined : formats.number(count)}
          name={name}
        />
      ))}
      {hasDeleted && (
        <Choice
          isOn={isDeleted}
          onChoose={() => onChange({ statuses: [], isDeleted: !isDeleted })}
          count={undefined}
          name={words.filters.deleted}
        />
      )}
    </fieldset>
  );
}

interface ChoiceProps {
  readonly isOn: boolean;
  readonly onChoose: () => void;
  readonly name: string;
  readonly count: string | undefined;
}

function Choice({ isOn, onChoose, name, count }: ChoiceProps) {
  return (
    <button type="button" className={pills['pill']} aria-pressed={isOn} onClick={onChoose}>
      {name} {count !== undefined && <span className={pills['count']}>{count}</span>}
    </button>
  );
}

function FurtherFilters({ filters, onChange }: PartProps) {
  const { filters: words, orders } = useWords(leadWords);
  const formats = useFormats();
  const label = words.more(formats.number(furtherFilters(filters)));
  return (
    <Disclosure
      label={label}
      side="end"
      button={
        <>
          <Icon name="filter" />
          {label}
        </>
      }
    >
      {(close) => (
        <>
          <SelectField
            name="sort"
            label={words.order}
            value={filters.sort}
            onChange={({ target }) => {
              const sort = leadOrders.find((order) => order === target.value);
              if (sort) onChange({ sort });
            }}
          >
            {leadOrders.map((order) => (
              <option key={order} value={order}>
                {orders[order]}
              </option>
            ))}
          </SelectField>
          <TextField
            name="source"
            label={words.source}
            autoComplete="off"
            maxLength={50}
            defaultValue={filters.source}
            onBlur={({ target }) => onChange({ source: target.value })}
            onKeyDown={(event) => {
              if (event.key === 'Enter') onChange({ source: event.currentTarget.value });
            }}
          />
          <TextField
            name="from"
            type="date"
            label={words.from}
            defaultValue={filters.from}
            onChange={({ target }) => onChange({ from: target.value })}
          />
          <TextField
            name="to"
            type="date"
            label={words.to}
            defaultValue={filters.to}
            onChange={({ target }) => onChange({ to: target.value })}
          />
          <Button
            onClick={() => {
              onChange(noFilters);
              close();
            }}
          >
            {words.clear}
          </Button>
        </>
      )}
    </Disclosure>
  );
}

/** The ways to look at leads. */
export function LeadViews({ view, id, filters }: Omit<ToolbarProps, 'go'>) {
  const { views: words } = useWords(leadWords);
  const names = { '/leads': words.table, '/leads/board': words.board } as const;
  return (
    <nav className={styles['views']} aria-label={words.label}>
      {(['/leads', '/leads/board'] as const).map((each) => (
        <Link
          key={each}
          to={hrefOf({ view: each, id })}
          search={addressOf(filters)}
          className={styles['view']}
          aria-current={each === view ? 'page' : undefined}
          activeOptions={{ exact: true }}
          // What is open stays open, with what was typed in it.
          ignoreBlocker
        >
          {names[each]}
        </Link>
      ))}
    </nav>
  );
}
