import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leadStatus, type LeadStatus } from '../src/leads/lead-status.ts';

const anyStatus = fc.constantFrom(...leadStatus.states);

describe('the transition table of leads', () => {
  it('has exactly the moves of the contract', () => {
    const moves = leadStatus.states.flatMap((from) => leadStatus.allowedFrom(from).map((to) => [from, to]));
    expect(moves).toEqual([
      ['new', 'contacted'],
      ['contacted', 'qualified'],
      ['contacted', 'lost'],
      ['qualified', 'won'],
    ]);
  });

  it('never brings a lead back to where it was: every path ends after at most three moves', () => {
    fc.assert(
      fc.property(anyStatus, fc.infiniteStream(fc.nat()), (start, choices) => {
        const path: LeadStatus[] = [start];
        for (const choice of choices) {
          const next = leadStatus.allowedFrom(path.at(-1)!);
          if (next.length === 0) break;
          path.push(next[choice % next.length]!);
        }
        expect(new Set(path).size).toBe(path.length);
        expect(path.length).toBeLessThanOrEqual(4);
      }),
    );
  });
});
