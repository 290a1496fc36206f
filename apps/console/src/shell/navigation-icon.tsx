import type { Destination } from './destinations.ts';

/** Drawn on a square of 20. */
const paths: Readonly<Record<Destination['name'] | 'more', string>> = {
  home: 'M3 9.2 10 3.5l7 5.7V16a1 1 0 0 1-1 1h-3.5v-4.5h-5V17H4a1 1 0 0 1-1-1Z',
  leads: 'M3 4h14l-5.4 6.4v5.2L8.4 17v-6.6Z',
  quotes: 'M5 3h6.5L15 6.5V17H5ZM11.5 3v3.5H15M7.5 10h5M7.5 13h5',
  customers: 'M3 7h14v9H3ZM7.5 7V4.2h5V7M3 11h14M10 10.2v1.6',
  people:
    'M7.8 9.6a2.9 2.9 0 1 0 0-5.8 2.9 2.9 0 0 0 0 5.8ZM2.6 16.4c.3-2.7 2.4-4.3 5.2-4.3s4.9 1.6 5.2 4.3M12.9 4.1a2.9 2.9 0 0 1 0 5.2M14.6 12.5c1.6.6 2.6 1.9 2.8 3.9',
  organization: 'M4.2 17V3.5h7.6V17M11.8 8h4V17M2.5 17h15M7 7h2M7 10h2M7 13h2',
  activity: 'M2.5 10.5h3.2l2.6-6 3.6 11 2.3-5h3.3',
  more: 'M4.7 10h.01M10 10h.01M15.3 10h.01',
};

/** The picture of a page beside its name. */
export function NavigationIcon({ name }: { readonly name: keyof typeof paths }) {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth={name === 'more' ? 2.4 : 1.5}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
