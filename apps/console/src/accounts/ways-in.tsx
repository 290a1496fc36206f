import { Link } from '@tanstack/react-router';
import type { api } from '@tenantry/client';
import { shownEmail } from '@tenantry/text';
import { Button } from '../design/button.tsx';
import { useAgo } from '../design/ago.ts';
import { useFormats, useWords } from '../design/language.ts';
import { List, ListItem } from '../design/list.tsx';
import { Stack } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { AddWays } from './add-ways.tsx';
import { useRemovePasskey, useRemovePassword, useUnlinkIdentity, useWaysIn } from './ways-in.queries.ts';
import { waysInWords } from './ways-in.words.ts';

/** The user's sign-in methods, and their changes. */
export function WaysIn() {
  const words = useWords(waysInWords);
  const ways = useWaysIn();
  if (ways.isPending) return <Skeleton label={words.title} lines={3} />;
  if (ways.isError) return <Failure error={ways.error} onRetry={() => void ways.refetch()} />;
  const { password, mailed, passkeys, identities } = ways.data;
  const isLast = Number(password) + Number(mailed) + passkeys.length + identities.length === 1;
  return (
    <Stack>
      <List label={words.list}>
        {password && <PasswordItem isLast={isLast} />}
        {mailed && <ListItem title={words.mailed} details={[words.mailedAbout]} />}
        {passkeys.map((passkey) => (
          <PasskeyItem key={passkey.id} passkey={passkey} isLast={isLast} />
        ))}
        {identities.map((identity) => (
          <IdentityItem key={identity.id} identity={identity} isLast={isLast} />
        ))}
      </List>
      {!password && (
        <p>
          {words.noPassword} <Link to="/forgot-password">{words.choosePassword}</Link>
        </p>
      )}
      <AddWays linked={identities.map(({ provider }) => provider)} />
    </Stack>
  );
}

interface ItemProps {
  /** The last one cannot be removed. */
  readonly isLast: boolean;
}

function PasswordItem({ isLast }: ItemProps) {
  const words = useWords(waysInWords);
  const remove = useRemovePassword();
  return (
    <WayItem
      title={words.password}
      details={[]}
      action={words.remove}
      actionOf={words.removeOf(words.password)}
      isLast={isLast}
      removal={remove}
      onRemove={() => remove.mutate(undefined)}
    />
  );
}

function PasskeyItem({ passkey, isLast }: ItemProps & { readonly passkey: api.Passkey }) {
  const words = useWords(waysInWords);
  const remove = useRemovePasskey();
  const usage = useUsage(passkey);
  return (
    <WayItem
      title={passkey.name}
      details={[words.passkey, ...usage, passkey.backedUp ? words.synced : '']}
      action={words.remove}
      actionOf={words.removeOf(passkey.name)}
      isLast={isLast}
      removal={remove}
      onRemove={() => remove.mutate(passkey)}
    />
  );
}

function IdentityItem({ identity, isLast }: ItemProps & { readonly identity: api.Identity }) {
  const words = useWords(waysInWords);
  const { signIn } = useSignedIn();
  const unlink = useUnlinkIdentity();
  const usage = useUsage(identity);
  const provider = signIn.providers.find(({ id }) => id === identity.provider)?.name ?? identity.provider;
  return (
    <WayItem
      title={provider}
      details={[shownEmail(identity.email ?? ''), ...usage]}
      action={words.unlink}
      actionOf={words.unlinkOf(provider)}
      isLast={isLast}
      removal={unlink}
      onRemove={() => unlink.mutate(identity)}
    />
  );
}

function useUsage({ createdAt, lastUsedAt }: Pick<api.Passkey, 'createdAt' | 'lastUsedAt'>): string[] {
  const words = useWords(waysInWords);
  const [formats, ago] = [useFormats(), useAgo()];
  const used = lastUsedAt === null ? words.neverUsed : words.used(ago(lastUsedAt, Date.now()));
  return [words.added(formats.day(createdAt)), used];
}

interface WayItemProps extends ItemProps {
  readonly title: string;
  readonly details: readonly string[];
  readonly action: string;
  /** The same with its object, for screen readers. */
  readonly actionOf: string;
  readonly removal: { readonly isPending: boolean; readonly error: Error | null };
  readonly onRemove: () => void;
}

function WayItem({ title, details, isLast, action, actionOf, removal, onRemove }: WayItemProps) {
  return (
    <ListItem
      title={title}
      details={details}
      action={
        !isLast && (
          <Button aria-label={actionOf} isBusy={removal.isPending} onClick={onRemove}>
            {action}
          </Button>
        )
      }
    >
      {removal.error !== null && <Failure error={removal.error} />}
    </ListItem>
  );
}
