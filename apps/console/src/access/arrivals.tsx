import type { api } from '@tenantry/client';
import { shownEmail } from '@tenantry/text';
import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { useFormats, useWords } from '../design/language.ts';
import { Panel } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import { useArrivals } from './arrivals.queries.ts';
import { arrivalWords } from './arrivals.words.ts';
import styles from './arrivals.module.css';
import { useConnections } from './connections.queries.ts';

/** The rest is asked for. */
const firstShown = 10;

/** What came of sign-ins through the identity provider, and of what its directory sent. */
export function Arrivals() {
  const connections = useConnections();
  const [first] = connections.data ?? [];
  const connection = connections.data?.find(({ enabled }) => enabled) ?? first;
  return connection ? <ArrivalsOf connection={connection} /> : null;
}

function ArrivalsOf({ connection }: { readonly connection: api.Connection }) {
  const words = useWords(arrivalWords);
  const arrivals = useArrivals(connection);
  const [isWhole, setWhole] = useState(false);
  if (arrivals.isPending) return <Skeleton label={words.title} lines={4} />;
  if (arrivals.isError) return <Failure error={arrivals.error} onRetry={() => void arrivals.refetch()} />;
  const shown = isWhole ? arrivals.data : arrivals.data.slice(0, firstShown);
  return (
    <Panel title={words.title}>
      <p>{words.about}</p>
      {arrivals.data.length === 0 ? <p>{words.none}</p> : <List arrivals={shown} />}
      {arrivals.data.length > shown.length && (
        <div>
          <Button onClick={() => setWhole(true)}>{words.more(arrivals.data.length - shown.length)}</Button>
        </div>
      )}
    </Panel>
  );
}

function List({ arrivals }: { readonly arrivals: readonly api.Arrival[] }) {
  const words = useWords(arrivalWords);
  const formats = useFormats();
  return (
    <ul className={styles['list']} aria-label={words.list}>
      {arrivals.map(({ kind, code, address, at }, position) => (
        // oxlint-disable-next-line react/no-array-index-key -- two may be alike, at one time
        <li key={`${at} ${position}`} className={styles['arrival']}>
          <p className={styles['who']}>
            {address === null ? words.nobody : <bdi>{shownEmail(address)}</bdi>}
          </p>
          <p className={styles['when']}>
            {words.kinds[kind]} <time dateTime={at}>{formats.moment(at)}</time>
          </p>
          <p className={styles['what']}>{words.codes[code]}</p>
        </li>
      ))}
    </ul>
  );
}
