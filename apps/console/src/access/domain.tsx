import type { api } from '@tenantry/client';
import { shownDomain } from '@tenantry/text';
import { useEffect, useId, useRef } from 'react';
import { Badge } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { Choice } from '../design/choices.tsx';
import { Confirm } from '../design/confirm.tsx';
import { CopyButton } from '../design/copy-button.tsx';
import { useFormats, useWords } from '../design/language.ts';
import { useToasts } from '../design/use-toasts.ts';
import { Failure } from '../failures/failure.tsx';
import { useMay } from '../sessions/sessions.queries.ts';
import styles from './domains.module.css';
import { useDeleteDomain, useUpdateDomain, useVerifyDomain } from './domains.queries.ts';
import { domainWords } from './domains.words.ts';

interface DomainProps {
  readonly domain: api.Domain;
  /** Each new object focuses it. */
  readonly focused: object | undefined;
  readonly onDeleted: (text: string) => void;
}

/** A domain: whether it is proven, by which record, and who may join by it. */
export function Domain({ domain, focused, onDeleted }: DomainProps) {
  const words = useWords(domainWords);
  const may = useMay();
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focused) heading.current?.focus();
  }, [focused]);
  const verify = useVerifyDomain(domain);
  const toasts = useToasts();
  const { state } = domain;
  const name = shownDomain(domain.domain);
  const check = () =>
    verify.mutate(undefined, { onSuccess: () => toasts.show({ text: words.check.done(name) }) });
  return (
    <li className={styles['domain']} aria-labelledby={id}>
      <div className={styles['head']}>
        <h2 id={id} ref={heading} tabIndex={-1} className={styles['name']}>
          <bdi>{name}</bdi> <Badge kind={badges[state]}>{words.badges[state]}</Badge>
        </h2>
        {may('verifyDomain') && (
          <Button
            kind={state === 'verified' ? 'secondary' : 'primary'}
            aria-label={words.check.of(name)}
            isBusy={verify.isPending}
            onClick={check}
          >
            {words.check.action}
          </Button>
        )}
      </div>
      <State domain={domain} />
      {verify.error !== null && <Failure error={verify.error} />}
      <DomainRecord domain={domain} name={name} />
      {may('updateDomain') && <Joins domain={domain} name={name} />}
      {may('deleteDomain') && <Removal domain={domain} name={name} onDeleted={onDeleted} />}
    </li>
  );
}

const badges = { pending: 'quiet', verified: 'strong', missing: 'problem', suspended: 'problem' } as const;

function State({ domain }: Pick<DomainProps, 'domain'>) {
  const { states } = useWords(domainWords);
  const formats = useFormats();
  const { state, verifiedAt, suspendedAt, readAt } = domain;
  const day = (instant: string | null) => (instant === null ? '' : formats.day(instant));
  const read = readAt === null ? '' : formats.moment(readAt);
  const said = {
    pending: () => states.pending,
    verified: () => states.verified(day(verifiedAt), read),
    missing: () => states.missing(read),
    suspended: () => states.suspended(day(suspendedAt)),
  };
  return <p className={styles['state']}>{said[state]()}</p>;
}

interface PartProps {
  readonly domain: api.Domain;
  /** As people write it. */
  readonly name: string;
}

/** What to put into the DNS; out of sight while it is there. */
function DomainRecord({ domain: { record, state }, name }: PartProps) {
  const { record: words } = useWords(domainWords);
  const copying = { copied: words.copied, uncopied: words.uncopied };
  const parts = (
    <dl className={styles['record']} aria-label={words.title(name)}>
      <div className={styles['part']}>
        <dt>{words.type}</dt>
        <dd>
          <code>{record.type}</code>
        </dd>
      </div>
      <div className={styles['part']}>
        <dt>{words.name}</dt>
        <dd>
          <code>{record.name}</code>
        </dd>
        <dd>
          <CopyButton text={record.name} words={{ ...copying, copy: words.copyName }} />
        </dd>
      </div>
      <div className={styles['part']}>
        <dt>{words.value}</dt>
        <dd>
          <code>{record.value}</code>
        </dd>
        <dd>
          <CopyButton text={record.value} words={{ ...copying, copy: words.copyValue }} />
        </dd>
      </div>
    </dl>
  );
  if (state !== 'verified') return parts;
  return (
    <details>
      <summary>{words.show}</summary>
      {parts}
    </details>
  );
}

function Joins({ domain, name }: PartProps) {
  const { joins: words } = useWords(domainWords);
  const update = useUpdateDomain(domain);
  const toasts = useToasts();
  const isOpen = domain.joins === 'member';
  const change = () => {
    const joins = isOpen ? 'nobody' : 'member';
    const text = isOpen ? words.off(name) : words.on(name);
    update.mutate(joins, { onSuccess: () => toasts.show({ text }) });
  };
  const isLater = isOpen && (domain.state === 'pending' || domain.state === 'suspended');
  return (
    <div>
      <Choice
        type="checkbox"
        label={words.label(name)}
        checked={isOpen}
        disabled={update.isPending}
        onChange={change}
      />
      {isLater && <p className={styles['quiet']}>{words.later}</p>}
      {update.error !== null && <Failure error={update.error} />}
    </div>
  );
}

interface RemovalProps extends PartProps {
  readonly onDeleted: (text: string) => void;
}

function Removal({ domain, name, onDeleted }: RemovalProps) {
  const { remove: words } = useWords(domainWords);
  const remove = useDeleteDomain(domain);
  return (
    <div className={styles['removal']}>
      <Confirm
        {...{ action: words.of(name), confirm: words.confirm, cancel: words.cancel }}
        question={words.sure(name)}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => onDeleted(words.done(name)) })}
      >
        {remove.error !== null && <Failure error={remove.error} />}
      </Confirm>
    </div>
  );
}
