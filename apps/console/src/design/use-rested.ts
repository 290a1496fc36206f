import { useEffect, useState } from 'react';

/** How long typing rests before anything is asked. */
const restMs = 150;

/** A text once typing rests. */
export function useRested(text: string): string {
  const [rested, rest] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => rest(text), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
