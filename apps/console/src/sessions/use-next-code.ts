import { isTenantryError } from '@tenantry/client';
import { useEffect, useState } from 'react';
import { secondsToNextCode } from './next-code.ts';

/** After a code was refused, which may have been used a moment ago: the seconds until the next one, counted down. */
export function useNextCode(error: unknown): number | undefined {
  const isRefused = isTenantryError(error) && error.code === 'INVALID_CODE';
  const [seconds, setSeconds] = useState<number>();
  useEffect(() => {
    if (!isRefused) return undefined;
    const update = () => setSeconds(secondsToNextCode(Date.now()));
    update();
    const timer = setInterval(update, 1_000);
    return () => {
      clearInterval(timer);
      setSeconds(undefined);
    };
  }, [isRefused, error]);
  return seconds;
}
