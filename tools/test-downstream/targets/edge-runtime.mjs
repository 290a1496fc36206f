import { readFileSync } from 'node:fs';
import { EdgeRuntime, runServer } from 'edge-runtime';

const runtime = new EdgeRuntime({
  initialCode: readFileSync('bundle.js', 'utf8'),
  extend: (context) => Object.assign(context, { process: { env: process.env } }),
});
await runServer({ runtime, host: '127.0.0.1', port: Number(process.env.PORT) });
