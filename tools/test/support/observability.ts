import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { parse } from 'yaml';

/** A rule of Prometheus: it records a series, or alerts. */
export interface Rule {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly annotations?: { readonly runbook: string };
}

/** A panel of the dashboard. */
export interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

/** What is in infra/observability. */
export interface Observability {
  readonly rules: readonly Rule[];
  readonly panels: readonly Panel[];
}

/** Reads a file of infra/observability. */
export const readObservabilityFile = (name: string) =>
  readFile(join(workspaceRoot, 'infra/observability', name), 'utf8');

/** Reads the rules and the dashboard. */
export async function readObservability(): Promise<Observability> {
  const { groups } = parse(await readObservabilityFile('rules.yml')) as { groups: { rules: Rule[] }[] };
  const { panels } = JSON.parse(await readObservabilityFile('dashboard.json')) as { panels: Panel[] };
  return { rules: groups.flatMap(({ rules }) => rules), panels };
}

/** Everything that is asked for, so that it answers while all is well: of an alert, each of the series that it compares. */
export function askedFor({ rules, panels }: Observability): { title: string; expr: string }[] {
  const ofRules = rules.flatMap(({ record, alert, expr }) =>
    record === undefined
      ? (expr.match(selector) ?? []).map((series) => ({ title: alert ?? '', expr: series }))
      : [{ title: record, expr }],
  );
  const ofPanels = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));
  return [...ofRules, ...ofPanels];
}

/** A metric that is queried, and which of its labels; with the value where it is matched exactly. */
export interface Selector {
  readonly name: string;
  readonly labels: readonly (readonly [label: string, value: string | undefined])[];
}

const selector = /\b(?:up|(?:job:)?(?:tenantry|process|nodejs)_[\w:]+)(?:\{[^}]*\})?/g;

/** The metrics that an expression queries, with the labels by which it chooses or adds up. */
export function selectorsIn(expr: string): Selector[] {
  const grouping = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/));
  const grouped = [...new Set(grouping)].filter((name) => !['job', 'instance', 'le'].includes(name));
  return (expr.match(selector) ?? []).map((text) => {
    const chosen = [...text.matchAll(/(\w+)(!?=~?)"([^"]*)"/g)].map(
      ([, label = '', operator, value]) => [label, operator === '=' ? value : undefined] as const,
    );
    return {
      name: text.replace(/\{.*/, ''),
      labels: [...chosen, ...grouped.map((name) => [name, undefined] as const)],
    };
  });
}

/** One line of what Prometheus reads. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Every line of what Prometheus reads. */
export function samplesIn(text: string): Sample[] {
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)].map(([, name = '', labels = '']) => {
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    return { name, labels: Object.fromEntries(pairs.map(([, label = '', value = '']) => [label, value])) };
  });
}

/** Every label of a metric of ours with its value, once. */
export function labelsIn(text: string): string[] {
  const own = samplesIn(text).filter(({ name }) => name.startsWith('tenantry_'));
  const labels = own.flatMap((sample) => Object.entries(sample.labels));
  return [...new Set(labels.map(([label, value]) => `${label}="${value}"`))];
}
