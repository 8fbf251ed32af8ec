/** AWS Lambda behind API Gateway (HTTP API, payload 2.0) or a function URL: bundles out of the S3 bucket `POSTERN_BUCKET`. */
import { handle, type LambdaContext, type LambdaEvent } from 'hono/aws-lambda';
import { createApp, loadEngine } from '#serve';
import { s3Store } from '#store/s3';
import { readSettings } from './settings.ts';

const { POSTERN_BUCKET: bucket = '', POSTERN_PREFIX: prefix = '', POSTERN_S3_PATH_STYLE: pathStyle } = process.env;
if (bucket === '') throw new Error('POSTERN_BUCKET must name the bucket of the bundles');

const pending: Promise<unknown>[] = [];
const app = createApp({
  store: s3Store({ bucket, ...(prefix === '' ? {} : { prefix }), client: { forcePathStyle: pathStyle === 'true' } }),
  load: loadEngine,
  background: (work) => pending.push(work),
  ...readSettings(process.env),
});
const respond = handle(app.hono);

/** Answers one event. What was put off until after the response is waited for: Lambda freezes the process after it. */
export async function handler(event: LambdaEvent, context?: LambdaContext): Promise<unknown> {
  if (!('requestContext' in event)) return { statusCode: 204 };
  const response = await respond(event, context);
  await Promise.all(pending.splice(0));
  return response;
}
