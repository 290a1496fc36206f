import { Link, useRouter } from '@tanstack/react-router';
import { ActorAvatar } from '../design/actor-avatar.tsx';
import { actorWords } from '../design/actor.words.ts';
import { IconButton } from '../design/icon-button.tsx';
import { useFormats, useLanguage, useWords } from '../design/language.ts';
import rowStyles from '../design/rows.module.css';
import type { Happening } from './activity.queries.ts';
import styles from './activity.module.css';
import { organizationActivityWords } from './activity.words.ts';
import { runsOf } from './runs.ts';
import { changesOf, sentenceOf } from './sentences.ts';
import { useActivityFilter } from './use-activity-filter.ts';

/** What happened, by day. */
export function Timeline({ happenings }: { readonly happenings: readonly Happening[] }) {
  const formats = useFormats();
  const days = new Map<string, Happening[]>();
  for (const happening of happenings) {
    const day = formats.day(happening.createdAt);
    days.set(day, [...(days.get(day) ?? []), happening]);
  }
  return [...days].map(([day, ofDay]) => (
    <section key={day} className={styles['day']} aria-label={day}>
      <h2>{day}</h2>
      <ol className={rowStyles['rows']}>
        {runsOf(ofDay).map(({ latest, earlier }) => (
          <Entry key={latest.id} happening={latest} earlier={earlier} />
        ))}
      </ol>
    </section>
  ));
}

interface EntryProps {
  readonly happening: Happening;
  /** What the same person did before it, folded. */
  readonly earlier: readonly Happening[];
}

function Entry({ happening, earlier }: EntryProps) {
  const words = useWords(organizationActivityWords);
  const formats = useFormats();
  return (
    <li className={`${rowStyles['row']} ${styles['entry']}`}>
      <ActorAvatar actor={happening.actor} />
      <p>
        <Said happening={happening} />
      </p>
      <Only happening={happening} />
      <time dateTime={happening.createdAt}>{formats.time(happening.createdAt)}</time>
      {earlier.length > 0 && (
        <details className={styles['earlier']}>
          <summary>{words.earlier(earlier.length)}</summary>
          <ol>
            {earlier.map((each) => (
              <li key={each.id} className={styles['folded']}>
                <span>
                  <Said happening={each} />
                </span>
                <time dateTime={each.createdAt}>{formats.time(each.createdAt)}</time>
              </li>
            ))}
          </ol>
        </details>
      )}
    </li>
  );
}

function Said({ happening }: { readonly happening: Happening }) {
  const [words, actors] = [useWords(organizationActivityWords), useWords(actorWords)];
  const said = { words, actors, language: useLanguage(), formats: useFormats() };
  const sentence = <bdi>{sentenceOf(happening, said)}</bdi>;
  const href = useTargetPage(happening);
  return (
    <>
      {href === undefined ? sentence : <Link to={href}>{sentence}</Link>}
      {changesOf(happening, said).map((change) => (
        <span key={change} className={styles['change']}>
          {change}
        </span>
      ))}
    </>
  );
}

/** The way to what happened to the same thing alone. */
function Only({ happening: { target } }: { readonly happening: Happening }) {
  const words = useWords(organizationActivityWords);
  const { chosen, choose } = useActivityFilter();
  if (!target || target.name === null || chosen.about !== '') return <span />;
  const label = words.only(target.name);
  return <IconButton icon="filter" label={label} onClick={() => choose({ about: target.id })} />;
}

const pageOf: Readonly<Record<string, string>> = { lead: '/leads/{-$id}', quote: '/quotes/$id' };
const isGone = /\.(?:deleted|erased|purged)$/;

/** Links to the target, unless it was deleted. */
function useTargetPage({ action, target }: Happening): string | undefined {
  const { routesByPath } = useRouter();
  const path = pageOf[target?.type ?? ''];
  if (!target || path === undefined || !Object.hasOwn(routesByPath, path) || isGone.test(action))
    return undefined;
  return path.replace(/\{-\$id\}|\$id/, target.id);
}
