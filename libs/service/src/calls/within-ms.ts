/**
 * Settles as `work` does, or once it has taken too long as `onLate` does, which returns what to use instead or throws. The work
 * itself is not ended.
 */
export async function withinMs<Result, Late>(
  ms: number,
  work: Promise<Result>,
  onLate: () => Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))).then(onLate);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
