const firstDelayMs = 250;
const delayMsMax = 3000;

/**
 * How long to wait after so many failures in a row: doubling, at most 3 s so that a service is found again within
 * 5 s of its return, and between half and all of it at random so that instances do not come at once.
 */
export function retryDelayMs(failures: number, random: () => number = Math.random): number {
  const full = Math.min(delayMsMax, firstDelayMs * 2 ** (failures - 1));
  return full * (0.5 + random() / 2);
}
