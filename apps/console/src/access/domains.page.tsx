import { domainsMax } from '@tenantry/contracts/domains';
import { shownDomain } from '@tenantry/text';
import { useEffect, useRef, useState } from 'react';
import type { api } from '@tenantry/client';
import { BackLink } from '../design/back-link.tsx';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Page as Frame, Panel, Stack } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { useToasts } from '../design/use-toasts.ts';
import { Failure, useProblem } from '../failures/failure.tsx';
import { failureWords, laterFailureWords } from '../failures/failures.words.ts';
import { useMay } from '../sessions/sessions.queries.ts';
import { Arrivals } from './arrivals.tsx';
import { Connections } from './connections.tsx';
import { Domain } from './domain.tsx';
import styles from './domains.module.css';
import { useAddDomain, useDomains } from './domains.queries.ts';
import { domainWords } from './domains.words.ts';
import { SsoRequirement } from './sso-requirement.tsx';

/** Where the focus goes after a change; a new object each time. */
interface FocusTarget {
  /** Undefined for the field in which one is added. */
  readonly domainId: string | undefined;
}

/** The domains that the organization has proven, or is about to, and the identity provider at which its people sign in. */
export function Page() {
  const words = useWords(domainWords);
  const may = useMay();
  const domains = useDomains();
  return (
    <Frame title={words.title}>
      <BackLink to="/organization/security">{words.back}</BackLink>
      <p className={styles['about']}>{words.about}</p>
      {domains.isPending && <Skeleton label={words.title} lines={8} />}
      {domains.isError && <Failure error={domains.error} onRetry={() => void domains.refetch()} />}
      {domains.isSuccess && <Domains domains={domains.data} />}
      {domains.isSuccess && may('listConnections') && (
        <>
          <Connections />
          <SsoRequirement />
          <Arrivals />
        </>
      )}
    </Frame>
  );
}

function Domains({ domains }: { readonly domains: readonly api.Domain[] }) {
  const words = useWords(domainWords);
  const { reasons } = useWords(laterFailureWords);
  const may = useMay();
  const [target, focus] = useState<FocusTarget>();
  const toasts = useToasts();
  const isFull = domains.length >= domainsMax;
  return (
    <Stack>
      {domains.length === 0 && !may('addDomain') && <p>{words.none}</p>}
      {domains.length > 0 && (
        <ul className={styles['domains']} aria-label={words.list}>
          {domains.map((domain) => (
            <Domain
              key={domain.id}
              domain={domain}
              focused={target?.domainId === domain.id ? target : undefined}
              onDeleted={(text) => {
                focus({ domainId: undefined });
                toasts.show({ text });
              }}
            />
          ))}
        </ul>
      )}
      {may('addDomain') && isFull && <Notice kind="news">{reasons.QUOTA_EXCEEDED.DOMAINS}</Notice>}
      {may('addDomain') && !isFull && (
        <AddDomain
          target={target}
          onAdded={({ id, domain }) => {
            focus({ domainId: id });
            toasts.show({ text: words.add.done(shownDomain(domain)) });
          }}
        />
      )}
    </Stack>
  );
}

interface AddDomainProps {
  readonly target: FocusTarget | undefined;
  readonly onAdded: (domain: api.Domain) => void;
}

function AddDomain({ target, onAdded }: AddDomainProps) {
  const { add: words } = useWords(domainWords);
  const { rules } = useWords(failureWords);
  const add = useAddDomain();
  const problem = useProblem(add.error);
  const [isEmpty, setEmpty] = useState(false);
  const [count, setCount] = useState(0);
  const around = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (target && target.domainId === undefined) around.current?.querySelector('input')?.focus();
  }, [target]);
  return (
    <div ref={around}>
      <Panel title={words.title}>
        <Form
          // Empty again for the next one.
          key={count}
          sends={add}
          refusal={isEmpty || add.error}
          onSubmit={({ text }) => {
            const domain = text('domain').trim();
            setEmpty(domain === '');
            if (domain === '') return;
            add.mutate(domain, {
              onSuccess: (added) => {
                setCount(count + 1);
                onAdded(added);
              },
            });
          }}
        >
          {add.error !== null && <Failure error={add.error} />}
          <TextField
            {...{ name: 'domain', autoComplete: 'off', autoCapitalize: 'none', spellCheck: false }}
            {...{ required: true, maxLength: 253, inputMode: 'url' }}
            label={words.field}
            hint={words.hint}
            error={isEmpty ? rules.required() : problem?.fields['domain']}
          />
          <div>
            <Button type="submit" kind="primary" isBusy={add.isPending}>
              {words.submit}
            </Button>
          </div>
        </Form>
      </Panel>
    </div>
  );
}
