/** Icons, drawn on a 16 by 16 grid. */
const paths = {
  check: 'M3.5 8.5 6.5 11.5 12.5 5',
  down: 'M4.5 6.5 8 10 11.5 6.5',
  plus: 'M8 3.5V12.5M3.5 8H12.5',
  grip: 'M6 4V4.01M10 4V4.01M6 8V8.01M10 8V8.01M6 12V12.01M10 12V12.01',
  more: 'M3.5 8V8.01M8 8V8.01M12.5 8V8.01',
  lock: 'M5 7.5V5.5A3 3 0 0 1 11 5.5V7.5M4 7.5H12V12.5H4Z',
  close: 'M4.5 4.5 11.5 11.5M11.5 4.5 4.5 11.5',
  search: 'M7 3.5A3.5 3.5 0 1 1 7 10.5 3.5 3.5 0 0 1 7 3.5M9.6 9.6 12.5 12.5',
  previous: 'M9.5 4.5 6 8 9.5 11.5',
  next: 'M6.5 4.5 10 8 6.5 11.5',
  up: 'M4.5 9.5 8 6 11.5 9.5',
  filter: 'M3 4.5H13M5 8H11M7 11.5H9',
  program: 'M4 4.5 7.5 8 4 11.5M8.5 11.5H12.5',
  edit: 'M4 12V9.8L10.2 3.6 12.4 5.8 6.2 12Z',
} as const;

/** The names of icons. */
export type IconName = keyof typeof paths;

/** A decorative icon next to a word, hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={paths[name]} fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
    </svg>
  );
}
