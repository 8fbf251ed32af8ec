/**
 * Leaves out of hono, in the worker, what its routes never reach: forms, pages, cookies, other applications mounted
 * below a path. Everything is found by name in the version that package.json pins; what is not found fails the build.
 */
import { readFile } from 'node:fs/promises';

/** Modules that are replaced as a whole. */
const STUBS = {
  'utils/body': 'export const parseBody = () => Promise.reject(new Error("forms are not parsed"));',
  'utils/html':
    'export const HtmlEscapedCallbackPhase = {}; export const resolveCallback = (text) => Promise.resolve(text);',
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
  ],
  request: [
    'queries',
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
      { filter: /hono[\\/]dist[\\/](utils[\\/](body|html|mount)|hono-base|context|request)\.js$/ },
      async ({ path }) => {
        const name = /dist[\\/](.*)\.js$/.exec(path)[1].replaceAll('\\', '/');
        const contents = STUBS[name] ?? without(await readFile(path, 'utf8'), UNUSED[name]);
        return { contents, loader: 'js' };
      },
    );
  },
};

function without(source, members) {
  return members.reduce((text, member) => {
    const block = new RegExp(
      `^\\t(?:async |get )?${member}(?: = |\\()(?:[^\\n]*\\{\\n[\\s\\S]*?\\n\\t\\};?|[^\\n{]*;)\\n`,
      'm',
    ).exec(text);
    if (!block) throw new Error(`slim-hono: not found: ${member}`);
    return text.replace(block[0], '');
  }, source);
}
