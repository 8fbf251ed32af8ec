/** Cloudflare Workers: bundles out of the R2 binding `BUNDLES`. */
import { type App, createApp, loadEngine } from '#serve';
import { type R2BucketLike, r2Store } from '#store/r2';
import { readSettings } from './settings.ts';

interface Env {
  readonly BUNDLES: R2BucketLike;
}

// INVARIANT: the app holds plain values only; a promise in here would hang the requests that wait for another's.
let app: App | undefined;

export default {
  fetch(request: Request, env: Env, context: Parameters<App['fetch']>[2]): Response | Promise<Response> {
    app ??= createApp({ store: r2Store(env.BUNDLES), load: loadEngine, ...readSettings(env) });
    return app.fetch(request, env, context);
  },
};
