import { Group, isBefore, lastJobOf, mostWaiting } from './group.ts';
import type { Sharer } from './sharer.ts';

/** A place of a sharer: every group that it belongs to, from the outside in. */
export type Place<Job> = readonly Group<Job>[];

/** Jobs are stored below the keys of their sharer, even if that has further keys. */
const ownJobs = '';

/** How much may run at once. */
export interface RunningLimits {
  readonly runningMax: number;
  readonly runningPerSharerMax: () => number;
  readonly runningPerMemberMax: number;
  readonly partOfFreeMax: number;
}

/**
 * Chooses who is next: start-time fair queueing (Goyal, Vin and Cheng 1996) on each level of a tree of sharers. Every waiting
 * sharer is served once a round; one that returns waits for the next round, and a new one joins the current round.
 */
export class Turns<Job> {
  readonly #root = new Group<Job>('');
  readonly #limits: RunningLimits;
  #arrivals = 0;

  constructor(limits: RunningLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#root.waiting;
  }

  get running(): number {
    return this.#root.running;
  }

  /** Waiting jobs of a sharer, by its first key. */
  waitingOf([first]: Sharer): number {
    return this.#root.member(first)?.waiting ?? 0;
  }

  /** Starts a job immediately if the sharer may have another one running. */
  startNow(sharer: Sharer, size = 1): Place<Job> | undefined {
    if (!this.#hasRoomFor(sharer)) return undefined;
    const place = this.#placeOf(sharer);
    this.#serve(place, size);
    return place;
  }

  wait(sharer: Sharer, job: Job): Place<Job> {
    const place = this.#placeOf(sharer);
    place.at(-1)?.jobs.push(job);
    let around: Group<Job> | undefined;
    for (const group of place) {
      group.waiting += 1;
      if (group.waiting === 1) {
        group.since = this.#arrivals += 1;
        group.round = Math.max(group.round, around?.lastRound ?? 0);
      }
      around = group;
    }
    return place;
  }

  /** Takes the job whose turn it is, and counts it as running. */
  next(): { readonly job: Job; readonly place: Place<Job> } | undefined {
    if (this.#root.waiting === 0 || this.#free <= 0) return undefined;
    const place = this.#pathToNext(this.#root, 1, this.#roomOfAll)?.reverse();
    const job = place?.at(-1)?.jobs.shift();
    if (!place || job === undefined) return undefined;
    for (const group of place) group.waiting -= 1;
    this.#serve(place, 1);
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
  end(place: Place<Job>, size: number): void {
    for (const group of place) group.running -= size;
    this.#forgetIdle(place);
  }

  /**
   * The job that loses its place in the queue to one of `sharer`: the last one of the member with most waiting, on the first
   * level on which that is another member. None if the sharer itself has the most.
   */
  evicted(sharer: Sharer, { within }: { readonly within: 'all' | 'sharer' }): Job | undefined {
    let group: Group<Job> | undefined = this.#root;
    for (let level = 0; level <= sharer.length; level += 1) {
      const own: Group<Job> | undefined = group.member(sharer[level] ?? ownJobs);
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
      group = group.memberOrNew(sharer[level] ?? ownJobs);
      place.push(group);
    }
    return place;
  }

  #serve(place: Place<Job>, size: number): void {
    let around: Group<Job> | undefined;
    for (const group of place) {
      group.running += size;
      if (around) {
        group.round = Math.max(group.round, around.lastRound);
        around.lastRound = group.round;
        group.round += 1;
        group.since = this.#arrivals += 1;
      }
      around = group;
    }
  }

  get #free(): number {
    return this.#limits.runningMax - this.#root.running;
  }

  #hasRoomFor(sharer: Sharer): boolean {
    if (this.#free <= 0) return false;
    let group: Group<Job> | undefined = this.#root;
    let room = this.#roomOfAll;
    for (let level = 1; level <= sharer.length + 1; level += 1) {
      group = group?.member(sharer[level - 1] ?? ownJobs);
      const running = group?.running ?? 0;
      if (!this.#mayRun(running, level, room)) return false;
      room = this.#roomWithin(running, room);
    }
    return true;
  }

  /** The groups from the job whose turn it is, of those that may run, out to `group`. */
  #pathToNext(group: Group<Job>, level: number, room: number): Group<Job>[] | undefined {
    if (group.jobs.length > 0) return [group];
    let first: Group<Job> | undefined;
    let path: Group<Job>[] | undefined;
    for (const member of group.members()) {
      if (member.waiting === 0 || !this.#mayRun(member.running, level, room)) continue;
      if (first && !isBefore(member, first)) continue;
      const below = this.#pathToNext(member, level + 1, this.#roomWithin(member.running, room));
      if (!below) continue;
      first = member;
      path = below;
    }
    path?.push(group);
    return path;
  }

  /** `partOfFreeMax` holds for sharers; within one, those of the second key leave a third of it to others. */
  #mayRun(running: number, level: number, room: number): boolean {
    if (level === 1) return running < room && running < this.#limits.runningPerSharerMax();
    return level > 2 || (running < 2 * room && running < this.#limits.runningPerMemberMax);
  }

  /** How much a sharer may have running while this much is free. */
  get #roomOfAll(): number {
    return this.#free * this.#limits.partOfFreeMax;
  }

  /** How much more a sharer could start: each job it starts reduces what is free. */
  #roomWithin(running: number, room: number): number {
    const { partOfFreeMax } = this.#limits;
    return partOfFreeMax === Infinity ? Infinity : (room - running) / (1 + partOfFreeMax);
  }

  #forgetIdle(place: Place<Job>): void {
    for (let level = place.length - 1; level > 0; level -= 1) {
      const group = place[level];
      if (group && group.waiting === 0 && group.running === 0) place[level - 1]?.forget(group);
    }
  }
}
