import type { api } from '@tenantry/client';
import { useId } from 'react';
import { Button } from '../design/button.tsx';
import { useFormats, useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Row } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import { useConfirmOwnAddress } from '../people/invitations.queries.ts';
import { storingServices, usePeopleUsage, useUsage, type StoringService } from './usage.queries.ts';
import styles from './usage.module.css';
import { settingsWords } from './settings.words.ts';

/** From here on somebody is told what to do, as the metrics of an operator count it. */
const nearQuota = 0.9;

interface UsageProps {
  /** Whether the reader may lift the small quota by confirming their own address. */
  readonly isOwner: boolean;
}

/** What the organization stores in each service, and how many people it has, with their quotas. */
export function Usage({ isOwner }: UsageProps) {
  return (
    <ul className={styles['services']}>
      {storingServices.map((service) => (
        <li key={service} className={styles['service']}>
          <ServiceUsage service={service} isOwner={isOwner} />
        </li>
      ))}
      <li className={styles['service']}>
        <PeopleUsage isOwner={isOwner} />
      </li>
    </ul>
  );
}

function ServiceUsage({ service, isOwner }: UsageProps & { readonly service: StoringService }) {
  const { usage: words } = useWords(settingsWords);
  const query = useUsage(service);
  const name = words.services[service];
  if (query.isPending) return <Skeleton label={name} lines={3} />;
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  const { rows, bytes, ownerConfirmed } = query.data;
  const share = Math.max(rows.used / rows.quota, bytes.used / bytes.quota);
  return (
    <>
      <h3 className={styles['name']}>{name}</h3>
      <AmountBar name={words.rows(name)} amount={rows} unit={1} write={words.rowsOf} />
      <AmountBar name={words.bytes(name)} amount={bytes} unit={1_048_576} write={words.bytesOf} />
      <Advice {...{ share, ownerConfirmed, isOwner }} makeRoom={words.makeRoom} />
    </>
  );
}

function PeopleUsage({ isOwner }: UsageProps) {
  const { usage: words } = useWords(settingsWords);
  const query = usePeopleUsage();
  if (query.isPending) return <Skeleton label={words.members} lines={2} />;
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  const { people, ownerConfirmed } = query.data;
  return (
    <>
      <h3 className={styles['name']}>{words.members}</h3>
      <AmountBar name={words.members} amount={people} unit={1} write={words.membersOf} />
      <Advice
        share={people.used / people.quota}
        {...{ ownerConfirmed, isOwner }}
        makeRoom={words.makePlaces}
      />
    </>
  );
}

interface AdviceProps extends UsageProps {
  /** Of the quota. */
  readonly share: number;
  readonly ownerConfirmed: boolean;
  /** What to do once an owner has confirmed an address. */
  readonly makeRoom: string;
}

/** What to do near a quota. */
function Advice({ share, ownerConfirmed, isOwner, makeRoom }: AdviceProps) {
  const { usage: words } = useWords(settingsWords);
  if (share < nearQuota) return null;
  return (
    <>
      <Notice kind={share >= 1 ? 'problem' : 'news'}>
        {share >= 1 ? words.full : words.near} {ownerConfirmed ? makeRoom : words.confirm}
      </Notice>
      {!ownerConfirmed && isOwner && <ConfirmOwnAddress />}
    </>
  );
}

/** Sends the link to the own address once more. */
function ConfirmOwnAddress() {
  const { usage: words } = useWords(settingsWords);
  const resend = useConfirmOwnAddress();
  if (resend.isSuccess) return <Notice kind="success">{words.sent(resend.data)}</Notice>;
  return (
    <Row>
      {resend.error !== null && <Failure error={resend.error} />}
      <Button isBusy={resend.isPending} onClick={() => resend.mutate()}>
        {words.send}
      </Button>
    </Row>
  );
}

interface AmountBarProps {
  /** What is measured, for those who do not see where the bar is. */
  readonly name: string;
  readonly amount: api.StorageAmount | api.PeopleAmount;
  /** In which it is written. */
  readonly unit: number;
  readonly write: (used: string, quota: string, share: string) => string;
}

function AmountBar({ name, amount: { used, quota }, unit, write }: AmountBarProps) {
  const formats = useFormats();
  const id = useId();
  const written = (value: number) => formats.number(Math.round((value / unit) * 10) / 10);
  return (
    <div className={styles['amount']}>
      <meter
        {...{ 'aria-label': name, 'aria-describedby': id, className: styles['bar'] }}
        {...{ min: 0, max: quota, high: nearQuota * quota, optimum: 0 }}
        value={Math.min(used, quota)}
      />
      <p id={id} className={styles['numbers']}>
        {write(written(used), written(quota), formats.percent(used / quota))}
      </p>
    </div>
  );
}
