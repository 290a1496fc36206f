import type { Manifest } from './manifests.ts';

type Labels = Readonly<Record<string, string>>;

interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly { key: string; operator: 'In' | 'NotIn'; values: readonly string[] }[];
}
interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
}
interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port: number | string }[];
}

/** A NetworkPolicy. */
export interface NetworkPolicy extends Manifest {
  readonly spec: {
    readonly podSelector: Selector;
    readonly policyTypes: readonly ('Ingress' | 'Egress')[];
    readonly ingress?: readonly Rule[];
    readonly egress?: readonly Rule[];
  };
}

/** One end of a connection: a pod of the namespace in question, or of another one. */
export interface End {
  readonly name: string;
  readonly labels: Labels;
  /** Its ports, by name. */
  readonly ports: Readonly<Record<string, number>>;
  /** Absent for a pod of the policies' own namespace. */
  readonly namespace?: string;
}

/**
 * Every connection that the policies let through and that begins or ends in their namespace, as
 * `gateway → leads-service:http`.
 */
export function connections(policies: readonly NetworkPolicy[], ends: readonly End[]): string[] {
  return ends.flatMap((from) =>
    ends.flatMap((to) =>
      Object.keys(to.ports)
        .filter((port) => from !== to && concerns(from, to) && isOpen(policies, { from, to, port }))
        .map((port) => `${from.name} → ${to.name}:${port}`),
    ),
  );
}

const concerns = (...ends: readonly End[]): boolean => ends.some(({ namespace }) => namespace === undefined);

interface Connection {
  readonly from: End;
  readonly to: End;
  readonly port: string;
}

const isOpen = (policies: readonly NetworkPolicy[], connection: Connection): boolean =>
  allows(policies, 'Egress', connection) && allows(policies, 'Ingress', connection);

/** An end that no policy of a direction selects is open in it; otherwise one of their rules has to name the connection. */
function allows(
  policies: readonly NetworkPolicy[],
  direction: 'Ingress' | 'Egress',
  { from, to, port }: Connection,
): boolean {
  const [own, other] = direction === 'Ingress' ? [to, from] : [from, to];
  const selecting = policies.filter(
    ({ spec }) =>
      own.namespace === undefined &&
      spec.policyTypes.includes(direction) &&
      selects(spec.podSelector, own.labels),
  );
  if (selecting.length === 0) return true;
  const rules = selecting.flatMap(({ spec }) => (direction === 'Ingress' ? spec.ingress : spec.egress) ?? []);
  return rules.some(
    (rule) =>
      (rule.from ?? rule.to ?? [{}]).some((peer) => isPeer(peer, other)) &&
      (rule.ports ?? [{ port }]).some((open) => open.port === port || open.port === to.ports[port]),
  );
}

function isPeer({ podSelector, namespaceSelector }: Peer, { labels, namespace }: End): boolean {
  const isAnyone = podSelector === undefined && namespaceSelector === undefined;
  if (isAnyone) return true;
  if (namespaceSelector === undefined && namespace !== undefined) return false;
  if (namespaceSelector && !selects(namespaceSelector, { 'kubernetes.io/metadata.name': namespace ?? '' }))
    return false;
  return podSelector === undefined || selects(podSelector, labels);
}

function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(
      ({ key, operator, values }) => values.includes(labels[key] ?? '') === (operator === 'In'),
    )
  );
}
