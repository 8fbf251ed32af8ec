import { conversions } from './conversions.ts';
import type { Library } from './library.ts';
import { time } from './time.ts';

export { lists as listExtensions } from './lists.ts';
export { sets } from './sets.ts';
export { strings } from './strings.ts';

/** The language's own library; the extensions beside it are for the host to place among its own, since order decides. */
export const standardLibraries: readonly Library[] = [conversions, time];
