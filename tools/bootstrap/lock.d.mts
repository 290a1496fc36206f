/** Runs the work while no other process of this checkout runs work of the same name; waits for its turn. */
export function withLock<Result>(name: string, work: () => Result | Promise<Result>): Promise<Result>;
