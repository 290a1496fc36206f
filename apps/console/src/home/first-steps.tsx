import { Button } from '../design/button.tsx';
import { Icon } from '../design/icon.tsx';
import { useWords } from '../design/language.ts';
import { usePreference } from '../design/preferences.ts';
import { useSender } from '../organizations/organization.queries.ts';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { steps, stepsLeft, type Step } from './steps.ts';
import { useLeadStatistics, useQuoteStatistics } from './home.queries.ts';
import { homeWords } from './home.words.ts';
import { PageLink } from './page-link.tsx';
import styles from './first-steps.module.css';

const pathOf: Readonly<Record<Step, string>> = {
  letterhead: '/organization',
  lead: '/leads',
  quote: '/quotes',
};

/** The first steps of a new organization; hidden once they are done or dismissed. */
export function FirstSteps() {
  const { user, organization } = useSignedIn();
  const id = organization?.id ?? '';
  const [over, setOver] = usePreference(`first-steps-over:${user.id}:${id}`);
  return over === null && <Steps onDismiss={() => setOver('dismissed')} />;
}

interface StepsProps {
  readonly onDismiss: () => void;
}

function Steps({ onDismiss }: StepsProps) {
  const { steps: words } = useWords(homeWords);
  const organization = useSender().data;
  const leads = useLeadStatistics().data?.total;
  const statuses = useQuoteStatistics().data?.statuses;
  if (organization === undefined || leads === undefined || statuses === undefined) return null;
  const quotes = statuses.reduce((total, status) => total + status.quotes, 0);
  const left = stepsLeft({ organization, leads, quotes });
  if (left.length === 0) return null;
  return (
    <section className={styles['steps']} aria-label={words.title}>
      <div className={styles['top']}>
        <h2>{words.title}</h2>
        <Button kind="plain" onClick={onDismiss}>
          {words.dismiss}
        </Button>
      </div>
      <ol className={styles['list']}>
        {steps.map((step, index) => {
          const isDone = !left.includes(step);
          return (
            <li key={step} className={styles['step']} data-done={isDone || undefined}>
              <span className={styles['mark']}>
                {isDone ? <Icon name="check" /> : <span aria-hidden="true">{index + 1}</span>}
              </span>
              <div>
                <p className={styles['title']}>
                  {isDone ? words[step].title : <PageLink page={pathOf[step]}>{words[step].title}</PageLink>}
                </p>
                <p className={styles['text']}>{isDone ? words.done : words[step].text}</p>
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
