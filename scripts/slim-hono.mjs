/** Leaves out of hono what our routes never reach: forms, pages, and other applications mounted below a path. */

const STUBS = {
  body: 'export const parseBody = () => Promise.reject(new Error("forms are not parsed"));',
  html: 'export const HtmlEscapedCallbackPhase = {}; export const resolveCallback = (text) => Promise.resolve(text);',
  mount: 'export const createMountedRequest = (context) => context.req.raw;',
};

/** The esbuild plugin. A stub that lacks what hono imports fails the build. */
export const slimHono = {
  name: 'slim-hono',
  setup(build) {
    build.onLoad({ filter: /hono[\\/]dist[\\/]utils[\\/](body|html|mount)\.js$/ }, ({ path }) => ({
      contents: STUBS[/(\w+)\.js$/.exec(path)[1]],
      loader: 'js',
    }));
  },
};
