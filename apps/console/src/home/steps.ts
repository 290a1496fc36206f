import type { api } from '@tenantry/client';

/** The first steps of a new organization, in order. */
export const steps = ['letterhead', 'lead', 'quote'] as const;

/** One of them. */
export type Step = (typeof steps)[number];

/** The data that shows whether a step is done. */
export interface Progress {
  readonly organization: Pick<api.Organization, 'logo' | 'settings'>;
  readonly leads: number;
  readonly quotes: number;
}

/** The steps that are left. */
export function stepsLeft({ organization: { logo, settings }, leads, quotes }: Progress): readonly Step[] {
  const isDone: Readonly<Record<Step, boolean>> = {
    letterhead: logo !== null && settings.address !== null && settings.vatNumber !== null,
    lead: leads > 0,
    quote: quotes > 0,
  };
  return steps.filter((step) => !isDone[step]);
}
