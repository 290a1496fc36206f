import { Link } from '@tanstack/react-router';
import { ActionLink } from '../design/action-link.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { useWords } from '../design/language.ts';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import { failureWords } from '../failures/failures.words.ts';
import { useMay, useSignedIn } from '../sessions/sessions.queries.ts';
import { FirstSteps } from './first-steps.tsx';
import { useLeadStatistics, useQuoteStatistics } from './home.queries.ts';
import { homeWords } from './home.words.ts';
import { LeadChart } from './lead-chart.tsx';
import { AcceptanceChart, QuoteChart } from './quote-chart.tsx';
import { QuotePaceChart } from './quote-pace-chart.tsx';
import styles from './dashboard.module.css';
import waitingStyles from './waiting.module.css';
import { EndingQuotes, UnansweredQuotes, UntouchedLeads } from './waiting.tsx';

/** The dashboard of the active organization: pending work, then charts. */
export function Dashboard() {
  const { waiting } = useWords(homeWords);
  const { organization } = useSignedIn();
  const may = useMay();
  const mayReadLeads = may('getLeadStatistics');
  const mayReadQuotes = may('getQuoteStatistics');
  const leads = useLeadStatistics({ enabled: mayReadLeads }).data?.total;
  const statuses = useQuoteStatistics({ enabled: mayReadQuotes }).data?.statuses;
  // What cannot be read is shown, so that it says why.
  const hasLeads = mayReadLeads && leads !== 0;
  const hasQuotes = mayReadQuotes && statuses?.every(({ quotes }) => quotes === 0) !== true;
  const hasSent = statuses?.some(({ status, quotes }) => status !== 'draft' && quotes > 0) !== false;
  return (
    <>
      <h2 className={styles['organization']}>{organization?.name}</h2>
      {mayReadLeads && mayReadQuotes && may('updateOrganization') && <FirstSteps />}
      {(mayReadLeads || mayReadQuotes) && !hasLeads && !hasQuotes && <Beginning />}
      {(hasLeads || hasQuotes) && (
        <section className={styles['part']}>
          <h2>{waiting.title}</h2>
          <div className={waitingStyles['cards']}>
            {hasQuotes && hasSent && <EndingQuotes />}
            {hasQuotes && <UnansweredQuotes hasSent={hasSent} />}
            {hasLeads && <UntouchedLeads />}
          </div>
        </section>
      )}
      <div className={styles['charts']}>
        <div className={styles['part']}>
          {hasLeads && <Leads />}
          {hasQuotes && <Acceptance />}
        </div>
        {hasQuotes && <Quotes />}
      </div>
    </>
  );
}

/** In place of work and numbers where there are none: what to do first. */
function Beginning() {
  const { beginning: words } = useWords(homeWords);
  const may = useMay();
  return (
    <EmptyState title={words.title}>
      <p>{words.text}</p>
      {may('createQuote') && (
        <ActionLink to="/quotes/new" kind="primary">
          {words.quote}
        </ActionLink>
      )}
      {may('createLead') && <Link to="/leads/new">{words.lead}</Link>}
    </EmptyState>
  );
}

function Leads() {
  const { data, error, refetch } = useLeadStatistics();
  if (data) return <LeadChart {...data} />;
  return <Unread error={error} onRetry={() => void refetch()} />;
}

function Quotes() {
  const { data, error, refetch } = useQuoteStatistics();
  if (!data) return <Unread error={error} onRetry={() => void refetch()} />;
  return (
    <div className={styles['part']}>
      <QuoteChart {...data} />
      <QuotePaceChart {...data} />
    </div>
  );
}

/** If quotes cannot be loaded, the other cards show the error. */
function Acceptance() {
  const { data } = useQuoteStatistics();
  return data ? <AcceptanceChart {...data} /> : null;
}

interface UnreadProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

function Unread({ error, onRetry }: UnreadProps) {
  const { loading } = useWords(failureWords);
  return (
    <div className={styles['unread']}>
      {error === null ? <Skeleton label={loading} lines={8} /> : <Failure error={error} onRetry={onRetry} />}
    </div>
  );
}
