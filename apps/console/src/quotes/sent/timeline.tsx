import type { api } from '@tenantry/client';
import { shownEmail } from '@tenantry/text';
import { useFormats, useWords } from '../../design/language.ts';
import { Skeleton } from '../../design/skeleton.tsx';
import { Failure } from '../../failures/failure.tsx';
import { useDeliveries } from './sent.queries.ts';
import styles from './sent.module.css';
import { sentWords } from './sent.words.ts';
import { timelineOf, type TimelineEvent } from './story.ts';

/** What happened to a quote, from its beginning. */
export function Timeline({ quote }: { readonly quote: api.Quote }) {
  const words = useWords(sentWords);
  const deliveries = useDeliveries(quote);
  if (deliveries.error !== null) {
    return <Failure error={deliveries.error} onRetry={() => void deliveries.refetch()} />;
  }
  if (!deliveries.data) return <Skeleton label={words.timeline} lines={4} />;
  const events = timelineOf({ quote, deliveries: deliveries.data });
  return (
    <section className={styles['panel']} aria-label={words.timeline}>
      <h2>{words.timeline}</h2>
      <ol className={styles['timeline']}>
        {events.map((event) => (
          <li key={`${event.kind} ${event.at}`} className={styles['event']} data-kind={lookOf(event)}>
            <EventText event={event} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A mail that failed looks like a refusal. */
const lookOf = (event: TimelineEvent): string =>
  event.kind === 'mailed' ? event.delivery.state : event.kind;

function EventText({ event }: { readonly event: TimelineEvent }) {
  const formats = useFormats();
  return (
    <>
      <p className={styles['eventTitle']}>
        <EventTitle event={event} />
      </p>
      {event.kind === 'mailed' && <DeliveryState delivery={event.delivery} />}
      {event.kind === 'rejected' && event.decision.reason !== null && (
        <blockquote className={styles['reason']}>{event.decision.reason}</blockquote>
      )}
      <p className={styles['quiet']}>
        <time dateTime={event.at}>{formats.moment(event.at)}</time>
      </p>
    </>
  );
}

function EventTitle({ event }: { readonly event: TimelineEvent }) {
  const { events: words } = useWords(sentWords);
  switch (event.kind) {
    case 'mailed':
      return words.mailed(shownEmail(event.delivery.recipientEmail));
    case 'accepted':
    case 'rejected': {
      const { name, userId } = event.decision;
      return userId === null ? words[event.kind](name ?? '') : words.forCustomer[event.kind];
    }
    default:
      return words[event.kind];
  }
}

function DeliveryState({ delivery }: { readonly delivery: api.Delivery }) {
  const { deliveries: words } = useWords(sentWords);
  const formats = useFormats();
  const { state, reason, attempts, nextAttemptAt, endedAt } = delivery;
  const because = reason === null ? '' : words.reasons[reason];
  if (state === 'delivered') {
    return (
      <p className={styles['quiet']}>{words.delivered(endedAt === null ? '' : formats.moment(endedAt))}</p>
    );
  }
  if (state === 'failed') return <p className={styles['bad']}>{because || words.failed}</p>;
  // One that is being delivered has not failed.
  const hasFailed = attempts > 0 && nextAttemptAt !== null;
  return (
    <p className={styles['quiet']}>
      {because || (hasFailed ? words.retrying(formats.moment(nextAttemptAt)) : words.waiting)}
    </p>
  );
}
