/** The pictures that words are helped by, drawn on a square of 16. */
const paths = {
  check: 'M3.5 8.5 6.5 11.5 12.5 5',
  down: 'M4.5 6.5 8 10 11.5 6.5',
  plus: 'M8 3.5V12.5M3.5 8H12.5',
  lock: 'M5 7.5V5.5A3 3 0 0 1 11 5.5V7.5M4 7.5H12V12.5H4Z',
} as const;

/** A picture beside a word, which says the same: it is hidden from those who listen. */
export function Icon({ name }: { readonly name: keyof typeof paths }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={paths[name]} fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
    </svg>
  );
}
