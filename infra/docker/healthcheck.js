// Asks the service in this container for /api/health/live, or for the probe it is given; it has no shell and no curl.
import { readFileSync } from 'node:fs';

const { tenantry } = JSON.parse(readFileSync('package.json', 'utf8'));
const port = process.env.PORT ?? tenantry.port;
try {
  const { ok } = await fetch(`http://127.0.0.1:${port}/api/health/${process.argv[2] ?? 'live'}`);
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
