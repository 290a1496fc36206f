/** What stands in the way, in one sentence that says what to do; it is printed without a stack. */
export class Obstacle extends Error {}
