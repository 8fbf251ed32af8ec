/** AWS Lambda behind API Gateway (HTTP API, payload 2.0) or a function URL: bundles out of the S3 bucket `POSTERN_BUCKET`. */
import { setTimeout as sleep } from 'node:timers/promises';
import { handle, type LambdaContext, type LambdaEvent } from 'hono/aws-lambda';
import { createApp, loadEngine } from '#serve';
import { s3Store } from '#store/s3';
import { readSettings } from './settings.ts';

const { POSTERN_BUCKET: bucket = '', POSTERN_PREFIX: prefix = '', POSTERN_S3_PATH_STYLE: pathStyle } = process.env;
if (bucket === '') throw new Error('POSTERN_BUCKET must name the bucket of the bundles');

/** How long an answer waits for what was put off: Lambda freezes the process after it, and goes on with the next event. */
const PATIENCE_MS = 250;
const pending: Promise<unknown>[] = [];
const app = createApp({
  store: s3Store({ bucket, ...(prefix === '' ? {} : { prefix }), client: { forcePathStyle: pathStyle === 'true' } }),
  load: loadEngine,
  background: (work) => pending.push(work),
  shareReads: true,
  ...readSettings(process.env),
});
const respond = handle(app.hono);

/** Answers one event. Events that are no HTTP requests (to keep the function warm) are answered by nothing. */
export async function handler(event: LambdaEvent, context?: LambdaContext): Promise<unknown> {
  if (!('requestContext' in event)) return { statusCode: 204 };
  const response = await respond(event, context);
  if (pending.length > 0) await Promise.race([Promise.all(pending.splice(0)), sleep(PATIENCE_MS)]);
  return response;
}
