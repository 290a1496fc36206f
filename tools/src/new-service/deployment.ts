import { databaseNames, variablePrefix } from '@tenantry/dev-database';
import { afterEach, afterLast, type Edit } from './edits.ts';
import type { NewServiceNames } from './names.ts';

/** Where a new service runs beside the others: docker-compose.yml, Prometheus, PostgreSQL and Kubernetes. */
export function deploymentEdits(names: NewServiceNames): readonly Edit[] {
  return [...composeEdits(names), ...databaseEdits(names), ...kubernetesEdits(names)];
}

function composeEdits({ service, plural, port, prefix }: NewServiceNames): Edit[] {
  const block = `
  ${service}:
    <<: *service
    image: tenantry/${service}
    build:
      <<: *build
      args:
        <<: *migrate-args
        APP: ${service}
    environment:
      <<: [*peer, *mail]
    volumes:
      - ${plural}-secrets:/secrets:ro
      - mail:/mail
`;
  const compose = [
    afterLast(
      /^ {6}- [\w-]+-secrets:\/secrets\/[\w-]+-service\n/,
      `      - ${plural}-secrets:/secrets/${service}\n`,
    ),
    afterLast(/^ {6}ROUTES: .*$/, `,${prefix}=http://${service}:${port}`),
    afterLast(/^ {6}[\w-]+-service: \*healthy\n/, `      ${service}: *healthy\n`),
    afterLast(/^ {2}[\w-]+-service:\n(?: {4}.*\n)+/, block),
    (text: string) => `${text}  ${plural}-secrets:\n`,
  ];
  const job = `  - job_name: ${service}\n    dns_sd_configs: [{ names: [${service}], type: A, port: 9464 }]\n`;
  return [
    ...compose.map((change): Edit => ['docker-compose.yml', change]),
    seenSecret(service),
    ['infra/observability/prometheus.yml', (text) => text + job],
  ];
}

const seenSecret = (service: string): Edit => [
  'infra/compose/secrets.js',
  afterLast(/^ {2}'[\w-]+-service': \[.*\],\n/, `  '${service}': ['INTERNAL_API_KEY'],\n`),
];

/** Its database, its roles, and the connections of both poolers. */
function databaseEdits({ service }: NewServiceNames): Edit[] {
  const { database, owner } = databaseNames(service);
  const variable = variablePrefix(service);
  const password = (role: 'OWNER' | 'RUNTIME') => `            - name: ${variable}_${role}_PASSWORD
              valueFrom: { secretKeyRef: { name: ${service}-database, key: ${role.toLowerCase()} } }
`;
  const url = `            - name: ${variable}_MIGRATION_DATABASE_URL
              value: postgres://${owner}:$(${variable}_OWNER_PASSWORD)@postgres-rw:5432/${database}?sslmode=verify-full&sslrootcert=/etc/postgres/ca.crt
`;
  return [
    ['infra/postgres/provision.sh', (text) => text.replace(/(TENANTRY_SERVICES:=[^}]*)\}/, `$1 ${service}}`)],
    [
      'infra/k8s/base/migrations/migrate.yaml',
      afterLast(/_RUNTIME_PASSWORD\n.*\n/, password('OWNER') + password('RUNTIME')),
    ],
    [
      'infra/k8s/base/migrations/migrate.yaml',
      afterLast(/_MIGRATION_DATABASE_URL\n.*\n/, password('OWNER') + url),
    ],
    ['infra/k8s/secrets.sh', (text) => text.replace(/^(for service in .*); do$/m, `$1 ${service}; do`)],
    [
      'infra/k8s/base/database/cluster.yaml',
      (text) => text.replace(/(?<=max_connections: ')\d+/, (number) => String(Number(number) + connections)),
    ],
  ];
}

/** Two instances of the pooler open twenty each; one more for each instance that listens, and for one that replaces it. */
const connections = 2 * 20 + 9;

function kubernetesEdits({ service, port, prefix }: NewServiceNames): Edit[] {
  // Of this policy alone, on one line or on several.
  const mailing = /(?<=name: to-mail-server\n(?:(?!---).*\n)*?.*values:\s*\[)[^\]]*?(?=,?\s*\])/;
  return [
    [
      'infra/k8s/base/services/kustomization.yaml',
      afterLast(/^ {2}- [\w-]+-service\.yaml\n/, `  - ${service}.yaml\n`),
    ],
    [
      'infra/k8s/base/services/gateway.yaml',
      afterLast(
        /^ +\/api\/[\w-]+=http:\/\/[\w-]+:\d+$/,
        `,\n                ${prefix}=http://${service}:${port}`,
      ),
    ],
    [
      'infra/k8s/overlays/production/release/kustomization.yaml',
      (text) =>
        `${text}  - { name: tenantry/${service}, newName: registry.example.com/tenantry/${service}, newTag: 0.1.0 }\n`,
    ],
    ['infra/k8s/base/services/network-policies.yaml', (text) => text.replace(mailing, `$&, ${service}`)],
    ['docs/operations.md', afterEach(/^ +for service in gateway [\w -]+(?=; do$)/, ` ${service}`)],
  ];
}

/** What the manifests of a service are made from: the same of users-service, and of quotation-service what else it needs. */
export interface ModelManifests {
  readonly users: string;
  readonly quotation: string;
}

/** The manifests of the service on Kubernetes. */
export function serviceManifests(
  { users, quotation }: ModelManifests,
  { service, plural, port }: NewServiceNames,
): string {
  const { database } = databaseNames(service);
  const variables = ['DATABASE_DIRECT_URL', 'SMTP_URL'].map(
    (name) => new RegExp(`^ {12}- name: ${name}\\n(?: {14}.*\\n)+`, 'm').exec(quotation)?.[0] ?? '',
  );
  return afterLast(
    /^ {12}- name: DATABASE_REPLICA_URL\n.*\n/,
    variables.join(''),
  )(users)
    .replace(/^# .*/, `# The ${plural.replaceAll('-', ' ')} of an organization.`)
    .replaceAll(/tenantry_(?:users|quotation)/g, database)
    .replaceAll('users-service', service)
    .replaceAll('3002', String(port));
}
