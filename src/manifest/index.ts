export { type Loaded, loadManifests, manifestOf } from './load.ts';
export type { Manifest } from './manifest.ts';
