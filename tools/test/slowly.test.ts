import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { makeCpuGroup } from '../src/slowly/cpu-group.ts';

describe('a part of a core', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tenantry-cgroup-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
  });

  it('is a quota of a control group of the second version', () => {
    for (const file of ['cgroup.controllers', 'cgroup.subtree_control']) writeFileSync(join(root, file), '');
    const { procs } = makeCpuGroup(0.25, root);
    expect(readFileSync(join(procs, '../cpu.max'), 'utf8')).toBe('25000 100000');
    expect(readFileSync(join(root, 'cgroup.subtree_control'), 'utf8')).toBe('+cpu');
  });

  it('is a quota of a control group of the first version', () => {
    mkdirSync(join(root, 'cpu'));
    const { procs } = makeCpuGroup(0.5, root);
    expect(readFileSync(join(procs, '../cpu.cfs_quota_us'), 'utf8')).toBe('50000');
    expect(readFileSync(join(procs, '../cpu.cfs_period_us'), 'utf8')).toBe('100000');
  });

  it('cannot be had where no control group can be made, which is said with other ways to it', () => {
    expect(() => makeCpuGroup(0.5, root)).toThrow(
      /^No control group can be made here: .*CPUQuota=50% .*--cpus=0\.5/,
    );
  });
});
