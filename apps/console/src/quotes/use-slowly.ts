import { useEffect, useRef, useState } from 'react';

/** Follows a value, at most once in a while. */
export function useSlowly<Value>(value: Value, pauseMs: number): Value {
  const [followed, follow] = useState(value);
  const followedAt = useRef(0);
  useEffect(() => {
    if (value === followed) return;
    const waitMs = Math.max(0, followedAt.current + pauseMs - Date.now());
    const timer = setTimeout(() => {
      followedAt.current = Date.now();
      follow(value);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [value, followed, pauseMs]);
  useEffect(() => {
    followedAt.current = Date.now();
  }, []);
  return followed;
}
