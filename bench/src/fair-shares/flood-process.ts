/**
 * A process that floods, so that who asks beside it does not wait for the flood's own answers to be read. It is told by messages
 * what to do: see `flooding.ts`, which starts it.
 */
import { floods, type Asked } from './floods.ts';
import type { Told, ToldBack } from './flooding.ts';

let attacks: readonly Asked[] = [];
let parallel = 0;
let floodsOn = false;
let presses: Promise<void>[] = [];
let answers = new Map<number, number>();

const tell = (told: ToldBack) => process.send?.(told);

async function press(attack: Asked): Promise<void> {
  while (floodsOn) {
    const status = await attack().catch(() => 0);
    answers.set(status, (answers.get(status) ?? 0) + 1);
  }
}

async function obey(told: Told): Promise<void> {
  if ('prepare' in told) {
    const flood = floods.find(({ name }) => name === told.prepare);
    if (!flood) throw new Error(`no flood is called ${told.prepare}`);
    const prepared: Asked[] = [];
    for (const attacker of told.attackers) prepared.push(await flood.attack(told.url, attacker));
    attacks = prepared;
    ({ parallel } = flood);
    const startedAt = performance.now();
    await attacks[0]?.();
    tell({ unitMs: performance.now() - startedAt });
  } else if ('begin' in told) {
    const some = attacks.slice(0, told.begin);
    answers = new Map();
    floodsOn = true;
    presses = Array.from({ length: parallel }, (_, n) => press(some[n % some.length] as Asked));
    tell({ begun: true });
  } else {
    floodsOn = false;
    await Promise.all(presses);
    tell({ answers: [...answers] });
  }
}

process.on('message', (told: Told) => void obey(told));
