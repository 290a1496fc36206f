import type { api } from '@tenantry/client';
import { Link } from '@tanstack/react-router';
import { nameOfActor } from '../design/actor.ts';
import { actorWords } from '../design/actor.words.ts';
import { Button } from '../design/button.tsx';
import { useFormats, useWords } from '../design/language.ts';
import { Row } from '../design/page.tsx';
import { PanelPart } from '../design/side-panel.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import styles from './lead-history.module.css';
import { useLeadHistory } from './lead.queries.ts';
import { leadWords } from './leads.words.ts';

/** How a lead has moved, newest first. */
export function LeadHistory({ id }: { readonly id: string }) {
  const { history: words } = useWords(leadWords);
  const history = useLeadHistory(id);
  return (
    <PanelPart title={words.title}>
      {history.isPending && <Skeleton label={words.title} lines={2} />}
      {history.isError && <Failure error={history.error} onRetry={() => void history.refetch()} />}
      <ol className={styles['moves']}>
        {history.data?.pages.flatMap(({ rows }) =>
          rows.map((move) => <Move key={`${move.at} ${move.to}`} move={move} />),
        )}
      </ol>
      {history.hasNextPage && (
        <Row>
          <Button isBusy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
            {words.more}
          </Button>
        </Row>
      )}
    </PanelPart>
  );
}

function Move({ move: { from, to, at, actor, quote } }: { readonly move: api.LeadMove }) {
  const { history: words, statuses } = useWords(leadWords);
  const formats = useFormats();
  const { user } = useSignedIn();
  const actors = useWords(actorWords);
  const isGone = actor === null || (actor.kind === 'user' && actor.name === null);
  const byName = isGone ? '' : words.by(nameOfActor(actor, actors));
  const whom = actor?.userId === user.id ? words.you : byName;
  return (
    <li className={styles['move']}>
      <span>{from === null ? words.created : words.moved(statuses[from], statuses[to])}</span>
      <span className={styles['when']}>
        {formats.moment(at)}{' '}
        {quote ? (
          <>
            {words.byQuote}{' '}
            <Link to="/quotes/$id" params={{ id: quote.id }}>
              <bdi>{quote.number}</bdi>
            </Link>
          </>
        ) : (
          whom
        )}
      </span>
    </li>
  );
}
