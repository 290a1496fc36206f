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
import { Figures } from './figures.tsx';
import { LeadChart } from './lead-chart.tsx';
import { QuotePaceChart } from './quote-pace-chart.tsx';
import { makesChart } from './scale.ts';
import styles from './dashboard.module.css';
import { Worklist } from './worklist.tsx';

/** The dashboard of the active organization: what to do, what it is worth, then charts. */
export function Dashboard() {
  const { organization } = useSignedIn();
  const may = useMay();
  const mayReadLeads = may('getLeadStatistics');
  const mayReadQuotes = may('getQuoteStatistics');
  const leads = useLeadStatistics({ enabled: mayReadLeads });
  const quotes = useQuoteStatistics({ enabled: mayReadQuotes });
  // What cannot be read is shown, so that it says why.
  const hasLeads = mayReadLeads && leads.data?.total !== 0;
  const hasQuotes = mayReadQuotes && quotes.data?.statuses.every((each) => each.quotes === 0) !== true;
  const entered = leads.data?.series.map((week) => Object.values(week.entered)) ?? [];
  const moved =
    quotes.data?.series.map(({ sent, accepted, rejected }) =>
      [sent, accepted, rejected].map((each) => each.quotes),
    ) ?? [];
  return (
    <>
      <h2 className={styles['organization']}>{organization?.name}</h2>
      {mayReadLeads && mayReadQuotes && may('updateOrganization') && <FirstSteps />}
      {(mayReadLeads || mayReadQuotes) && !hasLeads && !hasQuotes && <Beginning />}
      {hasQuotes && (quotes.data ? <Figures {...quotes.data} /> : <Unread {...quotes} />)}
      {hasLeads && !leads.data && <Unread {...leads} />}
      {(hasLeads || hasQuotes) && <Worklist />}
      <div className={styles['charts']}>
        {quotes.data && makesChart(moved) && <QuotePaceChart {...quotes.data} />}
        {leads.data && makesChart(entered) && <LeadChart {...leads.data} />}
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

interface UnreadProps {
  readonly error: unknown;
  readonly refetch: () => Promise<unknown>;
}

function Unread({ error, refetch }: UnreadProps) {
  const { loading } = useWords(failureWords);
  if (error === null) return <Skeleton label={loading} lines={3} />;
  return <Failure error={error} onRetry={() => void refetch()} />;
}
