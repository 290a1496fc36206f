import type { api } from '@tenantry/client';
import { dayIn } from '../days.ts';
import { isBlank, type Draft } from './draft.ts';

/** What somebody may want to mend before a quote is sent. */
export type Amiss =
  | 'no-line'
  | 'total-zero'
  | 'validity-past'
  | 'no-customer-name'
  | 'no-logo'
  | 'no-address'
  | 'no-vat-number';

interface Offer {
  readonly draft: Draft;
  readonly total: number;
  readonly sender: Pick<api.Organization, 'logo' | 'settings'>;
  readonly now: number;
}

/** Problems of a quote and of its sender. None of them prevents sending it. */
export function amissWith({ draft, total, sender, now }: Offer): readonly Amiss[] {
  const { address, vatNumber, timeZone } = sender.settings;
  const hasLine = draft.packages.some(({ lines }) => !lines.every(isBlank));
  const today = dayIn(timeZone, new Date(now).toISOString());
  const findings: readonly (readonly [Amiss, boolean])[] = [
    ['no-line', !hasLine],
    ['total-zero', hasLine && total === 0],
    ['validity-past', draft.validUntil < today],
    ['no-customer-name', draft.customer.name.trim() === ''],
    ['no-logo', sender.logo === null],
    ['no-address', address === null],
    ['no-vat-number', vatNumber === null],
  ];
  return findings.flatMap(([name, isSo]) => (isSo ? [name] : []));
}
