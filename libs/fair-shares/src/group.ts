/** The sharers of one level, with their waiting and running jobs. */
export class Group<Job> {
  readonly key: string;
  #members: Map<string, Group<Job>> | undefined;
  #jobs: Job[] | undefined;
  waiting = 0;
  running = 0;
  /** The round in which its next job may start. */
  round = 0;
  /** The round of the member that was served last. */
  lastRound = 0;
  /** When it began to wait: the order within a round. */
  since = 0;

  constructor(key: string) {
    this.key = key;
  }

  members(): Iterable<Group<Job>> {
    return this.#members?.values() ?? [];
  }

  member(key: string): Group<Job> | undefined {
    return this.#members?.get(key);
  }

  // Created on demand: most work starts immediately and ends before its sharer asks again.
  memberOrNew(key: string): Group<Job> {
    this.#members ??= new Map();
    let member = this.#members.get(key);
    if (!member) this.#members.set(key, (member = new Group(key)));
    return member;
  }

  forget(member: Group<Job>): void {
    this.#members?.delete(member.key);
  }

  get jobs(): Job[] {
    return (this.#jobs ??= []);
  }
}

/** Which of two members is served first. */
export function isBefore<Job>(one: Group<Job>, other: Group<Job>): boolean {
  if (one.round !== other.round) return one.round < other.round;
  if (one.running !== other.running) return one.running < other.running;
  return one.since < other.since;
}

/** The member that has most waiting. */
export function mostWaiting<Job>(group: Group<Job>): Group<Job> | undefined {
  let most: Group<Job> | undefined;
  for (const member of group.members()) if (member.waiting > (most?.waiting ?? 0)) most = member;
  return most;
}

/** The last job of the sharer with the most waiting. */
export function lastJobOf<Job>(group: Group<Job>): Job | undefined {
  const fullest = mostWaiting(group);
  return fullest ? lastJobOf(fullest) : group.jobs.at(-1);
}
