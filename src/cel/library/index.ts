import { conversions } from './conversions.ts';
import type { Library } from './library.ts';
import { lists } from './lists.ts';
import { sets } from './sets.ts';
import { strings } from './strings.ts';
import { time } from './time.ts';

/** cel-go's own libraries that Kubernetes has, in the order in which their overloads are declared. */
export const standardLibraries: readonly Library[] = [conversions, time, strings, lists, sets];
