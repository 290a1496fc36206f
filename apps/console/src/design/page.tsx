import { useEffect, useRef, type ReactNode } from 'react';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  readonly children: ReactNode;
}

let isFirst = true;

/**
 * Focuses a heading when its page opens or is replaced, so that screen readers start there; not on the first page of a
 * document, and not where a field of the page has the focus.
 */
function useHeadingFocus(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const focused = useRef<string>(undefined);
  useEffect(() => {
    const isNew = focused.current === undefined;
    focused.current = title;
    const isInField = heading.current?.closest('main')?.matches(':focus-within') ?? false;
    if (!isInField && !(isNew && isFirst)) heading.current?.focus();
    isFirst = false;
  }, [title]);
  return heading;
}

interface WorkPageProps extends PageProps {
  /** What the heading holds in place of the title: a field that it is typed into. */
  readonly heading?: ReactNode | undefined;
  /** Beside the title: what can be done here. */
  readonly actions?: ReactNode;
}

/** A page of the signed-in console, with its title. */
export function Page({ title, heading: field, actions, children }: WorkPageProps) {
  const heading = useHeadingFocus(field === undefined ? title : '');
  return (
    <main id="page" className={styles['page']}>
      <title>{`${title} · Tenantry`}</title>
      <div className={styles['bar']}>
        <h1 ref={heading} tabIndex={-1} className={styles['title']}>
          {field ?? title}
        </h1>
        {actions}
      </div>
      {children}
    </main>
  );
}

/** A page for continuous work: it fills the window, and its parts scroll, not the page. */
export function WorkPage({ title, actions, children }: WorkPageProps) {
  const heading = useHeadingFocus(title);
  return (
    <main id="page" className={styles['work']}>
      <title>{`${title} · Tenantry`}</title>
      <div className={styles['bar']}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions}
      </div>
      {children}
    </main>
  );
}

/** A page with a single task, for signed-out users. */
export function CardPage({ title, children }: PageProps) {
  const heading = useHeadingFocus(title);
  return (
    <main className={styles['gate']}>
      <title>{`${title} · Tenantry`}</title>
      <p className={styles['brand']}>Tenantry</p>
      <div className={styles['card']}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {children}
      </div>
    </main>
  );
}

interface SectionProps extends PageProps {
  /** What it is for, in a sentence. */
  readonly about?: string;
  /** Whether it has more than fields. */
  readonly isWide?: boolean;
}

/** A part of a page. */
export function Section({ title, about, isWide = false, children }: SectionProps) {
  return (
    <section className={styles['section']} aria-label={title}>
      <div className={styles['heading']}>
        <h2>{title}</h2>
        {about !== undefined && <p className={styles['about']}>{about}</p>}
      </div>
      <div className={isWide ? styles['stack'] : styles['content']}>{children}</div>
    </section>
  );
}

interface PanelProps {
  readonly title?: string;
  readonly children: ReactNode;
}

/** What a page with one subject is about. */
export function Panel({ title, children }: PanelProps) {
  return (
    <section className={styles['panel']} aria-label={title}>
      {title !== undefined && <h2>{title}</h2>}
      {children}
    </section>
  );
}

/** What belongs side by side where there is room. */
export function Row({ children }: { readonly children: ReactNode }) {
  return <div className={styles['row']}>{children}</div>;
}

/** What belongs one below the other. */
export function Stack({ children }: { readonly children: ReactNode }) {
  return <div className={styles['stack']}>{children}</div>;
}
