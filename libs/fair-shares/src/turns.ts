import type { Sharer } from './sharer.ts';

/** Those who share on one level, and what waits and runs of each. */
class Group<Job> {
  readonly key: string;
  #members: Map<string, Group<Job>> | undefined;
  #jobs: Job[] | undefined;
  waiting = 0;
  running = 0;
  /** The round in which its next job may start. */
  round = 0;
  /** The round of the member that was served last. */
  lastRound = 0;
  /** When it began to wait, to tell apart those of one round. */
  since = 0;

  constructor(key: string) {
    this.key = key;
  }

  // Made when they are needed: most work starts at once and is over before anything else of its sharer comes.
  get members(): Map<string, Group<Job>> {
    return (this.#members ??= new Map());
  }

  get jobs(): Job[] {
    return (this.#jobs ??= []);
  }
}

/** A place of a sharer: every group that it belongs to, from the outside in. */
export type Place<Job> = readonly Group<Job>[];

/** Jobs are kept below the keys of their sharer, also below one that has further keys. */
const ownJobs = '';

/**
 * Who is next: start-time fair queueing (Goyal, Vin and Cheng 1996) on each level of a tree of sharers. Everyone who waits is
 * served once a round; whoever comes back waits for the next round, and whoever is new joins the one that runs.
 */
export class Turns<Job> {
  readonly #root = new Group<Job>('');
  readonly #runningPerSharerMax: number;
  #arrivals = 0;

  constructor(runningPerSharerMax: number) {
    this.#runningPerSharerMax = runningPerSharerMax;
  }

  get waiting(): number {
    return this.#root.waiting;
  }

  get running(): number {
    return this.#root.running;
  }

  /** How much of a sharer waits, by its first key. */
  waitingOf([first]: Sharer): number {
    return this.#root.members.get(first)?.waiting ?? 0;
  }

  /** Starts without waiting where the sharer may have another job running. */
  startNow(sharer: Sharer): Place<Job> | undefined {
    const running = this.#root.members.get(sharer[0])?.running ?? 0;
    if (running >= this.#runningPerSharerMax) return undefined;
    const place = this.#placeOf(sharer);
    this.#serve(place);
    return place;
  }

  wait(sharer: Sharer, job: Job): Place<Job> {
    const place = this.#placeOf(sharer);
    place.at(-1)?.jobs.push(job);
    for (const [level, group] of place.entries()) {
      group.waiting += 1;
      if (group.waiting > 1) continue;
      group.since = this.#arrivals += 1;
      group.round = Math.max(group.round, place[level - 1]?.lastRound ?? 0);
    }
    return place;
  }

  /** Takes the job whose turn it is, and counts it as running. */
  next(): { readonly job: Job; readonly place: Place<Job> } | undefined {
    const place = [this.#root];
    for (let group: Group<Job> | undefined = this.#root; (group = this.#firstIn(group, place.length));) {
      place.push(group);
    }
    const job = place.at(-1)?.jobs.shift();
    if (job === undefined) return undefined;
    for (const group of place) group.waiting -= 1;
    this.#serve(place);
    return { job, place };
  }

  /** Takes back a job that waits. */
  leave(place: Place<Job>, job: Job): void {
    const jobs = place.at(-1)?.jobs ?? [];
    const index = jobs.indexOf(job);
    if (index === -1) return;
    jobs.splice(index, 1);
    for (const group of place) group.waiting -= 1;
    this.#forgetIdle(place);
  }

  /** Ends a job that ran. */
  end(place: Place<Job>): void {
    for (const group of place) group.running -= 1;
    this.#forgetIdle(place);
  }

  /**
   * The job that gives its place in the queue to one of `sharer`: the last one of whoever has most waiting, on the first level
   * on which that is somebody else. None where the sharer itself has the most.
   */
  evicted(sharer: Sharer, { within }: { readonly within: 'all' | 'sharer' }): Job | undefined {
    let group: Group<Job> | undefined = this.#root;
    for (const [level, key] of [...sharer, ownJobs].entries()) {
      const own: Group<Job> | undefined = group.members.get(key);
      if (level > 0 || within === 'all') {
        const most = mostWaiting(group);
        if (most && most.waiting > (own?.waiting ?? 0) + 1) return lastJobOf(most);
      }
      if (!own) return undefined;
      group = own;
    }
    return undefined;
  }

  #placeOf(sharer: Sharer): Place<Job> {
    const place = [this.#root];
    let group = this.#root;
    for (let level = 0; level <= sharer.length; level += 1) {
      const key = sharer[level] ?? ownJobs;
      let member = group.members.get(key);
      if (!member) group.members.set(key, (member = new Group(key)));
      place.push((group = member));
    }
    return place;
  }

  #serve(place: Place<Job>): void {
    let around: Group<Job> | undefined;
    for (const group of place) {
      group.running += 1;
      if (around) {
        group.round = Math.max(group.round, around.lastRound);
        around.lastRound = group.round;
        group.round += 1;
        group.since = this.#arrivals += 1;
      }
      around = group;
    }
  }

  #firstIn(group: Group<Job>, level: number): Group<Job> | undefined {
    const runningMax = level === 1 ? this.#runningPerSharerMax : Infinity;
    let first: Group<Job> | undefined;
    for (const member of group.members.values()) {
      if (member.waiting === 0 || member.running >= runningMax) continue;
      if (!first || isBefore(member, first)) first = member;
    }
    return first;
  }

  #forgetIdle(place: Place<Job>): void {
    for (let level = place.length - 1; level > 0; level -= 1) {
      const group = place[level];
      if (group && group.waiting === 0 && group.running === 0) place[level - 1]?.members.delete(group.key);
    }
  }
}

function isBefore<Job>(one: Group<Job>, other: Group<Job>): boolean {
  if (one.round !== other.round) return one.round < other.round;
  if (one.running !== other.running) return one.running < other.running;
  return one.since < other.since;
}

function mostWaiting<Job>(group: Group<Job>): Group<Job> | undefined {
  let most: Group<Job> | undefined;
  for (const member of group.members.values()) if (member.waiting > (most?.waiting ?? 0)) most = member;
  return most;
}

function lastJobOf<Job>(group: Group<Job>): Job | undefined {
  const fullest = mostWaiting(group);
  return fullest ? lastJobOf(fullest) : group.jobs.at(-1);
}
