import type { api } from '@tenantry/client';
import { useRef } from 'react';
import { Button } from '../design/button.tsx';
import { Confirm } from '../design/confirm.tsx';
import { useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { Row, Stack } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { useDoneToast } from '../design/use-done-toast.ts';
import { Failure } from '../failures/failure.tsx';
import { UnreadablePictureError } from './logo-file.ts';
import styles from './organization.module.css';
import { useLogo, useRemoveLogo, useSetLogo } from './settings.queries.ts';
import { settingsWords } from './settings.words.ts';

interface LogoProps {
  readonly organization: api.Organization;
}

/** The logo as quotes show it. */
export function Logo({ organization }: LogoProps) {
  const { logo: words } = useWords(settingsWords);
  const logo = useLogo(organization.logo);
  if (organization.logo === null) return <p>{words.none}</p>;
  if (logo.isPending) return <Skeleton label={words.title} lines={2} />;
  if (logo.isError) return <Failure error={logo.error} onRetry={() => void logo.refetch()} />;
  return <img className={styles['logo']} src={logo.data} alt={words.alternative(organization.name)} />;
}

/** Choosing another logo, or none. */
export function LogoForm({ organization }: LogoProps) {
  const words = useWords(settingsWords);
  const input = useRef<HTMLInputElement>(null);
  const set = useSetLogo();
  useDoneToast(set, words.saved);
  const remove = useRemoveLogo();
  return (
    <Stack>
      <Logo organization={organization} />
      {set.error !== null && <Refusal error={set.error} />}
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        accept="image/*"
        aria-label={words.logo.choose}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) set.mutate(file);
          // The same file can be chosen again.
          target.value = '';
        }}
      />
      <Row>
        <Button isBusy={set.isPending} onClick={() => input.current?.click()}>
          {organization.logo === null ? words.logo.choose : words.logo.replace}
        </Button>
      </Row>
      {organization.logo !== null && (
        <Confirm
          {...{ action: words.logo.remove, question: words.logo.removeSure, confirm: words.logo.remove }}
          cancel={words.cancel}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => set.reset() })}
        >
          {remove.error !== null && <Failure error={remove.error} />}
        </Confirm>
      )}
    </Stack>
  );
}

function Refusal({ error }: { readonly error: unknown }) {
  const { logo: words } = useWords(settingsWords);
  if (error instanceof UnreadablePictureError) return <Notice kind="problem">{words.unreadable}</Notice>;
  return <Failure error={error} />;
}
