/**
 * Leaves out of hono, in the worker, what its routes never reach: forms, queries, pages, cookies, chains of handlers,
 * other applications mounted below a path, paths with escapes (they are found nowhere). Everything is found by name in the version that package.json pins; what is not found fails the build.
 */
import { readFile } from 'node:fs/promises';

/** Modules that are replaced as a whole. */
const STUBS = {
  // Each route has one handler, which is called without this; what is left is the path without a route.
  compose:
    'export const compose = (handlers, onError, notFound) => async (context) => ({ finalized: true, res: await notFound(context) });',
  'utils/body': 'export const parseBody = () => Promise.reject(new Error("forms are not parsed"));',
  'utils/html':
    'export const HtmlEscapedCallbackPhase = {}; export const resolveCallback = (text) => Promise.resolve(text);',
  'utils/url': `
    export const getPath = ({ url }) => new URL(url).pathname;
    export const getPathNoStrict = getPath;
    export const mergePath = (base, path) => path;
    export let checkOptionalParameter, getPattern, splitPath, splitRoutingPath; // of other routers
    export const tryDecodeURIComponent = (text) => {
      try { return decodeURIComponent(text); } catch { return text; }
    };`,
  'utils/mount': 'export const createMountedRequest = (context) => context.req.raw;',
};

/** Members of classes that nothing calls. */
const UNUSED = {
  'hono-base': ['route', 'basePath', 'mount', 'request', 'fire', '#clone'],
  context: [
    'event',
    'render',
    'setLayout',
    'getLayout',
    'setRenderer',
    'header',
    'status',
    'set',
    'get',
    'var',
    'body',
    'json',
    'html',
    'redirect',
    'text',
    'newResponse',
    '#newResponse',
    'res',
    'res',
  ],
  request: [
    'query',
    'queries',
    'header',
    'parseBody',
    'json',
    'text',
    'arrayBuffer',
    'bytes',
    'blob',
    'formData',
    'addValidatedData',
    'valid',
    'matchedRoutes',
    'routePath',
    '#cachedBody',
  ],
};

/** The esbuild plugin. */
export const slimHono = {
  name: 'slim-hono',
  setup(build) {
    build.onLoad(
      { filter: /hono[\\/]dist[\\/](utils[\\/](body|html|mount|url)|compose|hono-base|context|request)\.js$/ },
      async ({ path }) => {
        const name = /dist[\\/](.*)\.js$/.exec(path)[1].replaceAll('\\', '/');
        const contents = STUBS[name] ?? withoutChains(without(await readFile(path, 'utf8'), UNUSED[name]));
        return { contents, loader: 'js' };
      },
    );
  },
};

function without(source, members) {
  return members.reduce((text, member) => {
    const block = new RegExp(
      `^\\t(?:async |[gs]et )?${member}(?: = |\\()(?:[^\\n]*\\{\\n[\\s\\S]*?\\n\\t\\};?|[^\\n{]*;)\\n`,
      'm',
    ).exec(text);
    if (!block) throw new Error(`slim-hono: not found: ${member}`);
    return text.replace(block[0], '');
  }, source);
}

/** Without `on` and `use`, which the constructor of the application makes. */
function withoutChains(source) {
  return source.replaceAll(/^\t\tthis\.(?:on|use) = \([^\n]*\{\n[\s\S]*?\n\t\t\};\n/gm, '');
}
