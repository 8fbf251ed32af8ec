import { mapEntries, mapKeys } from '../equality.ts';
import { formatValue } from '../go-value.ts';
import { celGoType, typeName } from '../type-name.ts';
import { CelError, CelMap, isMap, type Result, type Value } from '../values.ts';
import { charge, checkListSize, type Frame, iterate, NO_OVERLOAD, type Step, units } from './frame.ts';

/** Where a fold keeps its variables. */
export interface FoldSlots {
  readonly variable: number;
  readonly variable2: number | undefined;
  readonly accumulator: number;
}

/** One turn of a loop; `true` goes on. */
type Turn = (frame: Frame) => boolean;

/** Runs a turn for each element; an error when the range cannot be iterated. */
function forEach(frame: Frame, range: Result, slots: FoldSlots, turn: Turn): CelError | undefined {
  const { locals } = frame;
  if (range instanceof CelError) return range;
  if (Array.isArray(range)) {
    for (let index = 0; index < range.length; index++) {
      iterate(frame);
      if (slots.variable2 === undefined) locals[slots.variable] = range[index];
      else {
        locals[slots.variable] = index;
        locals[slots.variable2] = range[index];
      }
      if (!turn(frame)) return undefined;
    }
    return undefined;
  }
  if (!isMap(range)) return notIterable(range, slots.variable2 !== undefined);
  if (slots.variable2 === undefined) {
    for (const key of mapKeys(range)) {
      iterate(frame);
      locals[slots.variable] = key;
      if (!turn(frame)) return undefined;
    }
    return undefined;
  }
  for (const [key, value] of mapEntries(range)) {
    iterate(frame);
    locals[slots.variable] = key;
    locals[slots.variable2] = value;
    if (!turn(frame)) return undefined;
  }
  return undefined;
}

function notIterable(range: Value, two: boolean): CelError {
  const type = celGoType(range);
  return new CelError(two ? `unsupported comprehension range type: ${type}` : `got '${type}', expected iterable type`);
}

/**
 * `all` (absorbing `false`) and `exists` (absorbing `true`). Each turn pays for the condition (`@result`, the call that
 * looks at it, and for `exists` its negation) and the accumulator; the element after the decisive one pays for the condition
 * that stops the loop.
 */
export function quantifier(range: Step, slots: FoldSlots, predicate: Step, absorbing: boolean): Step {
  const condition = absorbing ? 3 : 2;
  const { variable, variable2 } = slots;
  const neutral = !absorbing;
  return (frame) => {
    const over = range(frame);
    if (!Array.isArray(over) || variable2 !== undefined) {
      return quantifyAny(frame, over, slots, predicate, absorbing, condition);
    }
    const { locals } = frame;
    const { length } = over;
    let failed: CelError | undefined;
    for (let index = 0; index < length; index++) {
      units(frame, condition + 1);
      locals[variable] = over[index];
      const value = predicate(frame);
      if (value === neutral) continue;
      if (value === absorbing) {
        units(frame, index + 1 < length ? condition + 1 : 1);
        return absorbing;
      }
      failed ??= value instanceof CelError ? value : NO_OVERLOAD;
    }
    units(frame, 1);
    return failed ?? neutral;
  };
}

/** The same over maps, or with two variables. */
function quantifyAny(
  frame: Frame,
  over: Result,
  slots: FoldSlots,
  predicate: Step,
  absorbing: boolean,
  condition: number,
): Result {
  let failed: CelError | undefined;
  let decided = false;
  const fault = forEach(frame, over, slots, () => {
    if (decided) {
      units(frame, condition);
      return false;
    }
    units(frame, condition + 1);
    const value = predicate(frame);
    if (value === absorbing) decided = true;
    else if (value !== !absorbing) failed ??= value instanceof CelError ? value : NO_OVERLOAD;
    return true;
  });
  if (fault) return fault;
  units(frame, 1);
  return decided ? absorbing : (failed ?? !absorbing);
}

/** `exists_one`: counts, and never stops early; the last error is the result. */
export function counter(range: Step, slots: FoldSlots, predicate: Step): Step {
  return (frame) => {
    let count = 0;
    let failed: CelError | undefined;
    const fault = forEach(frame, range(frame), slots, () => {
      const value = predicate(frame);
      if (value === true) {
        units(frame, 2);
        count++;
      } else if (value !== false) failed = value instanceof CelError ? value : NO_OVERLOAD;
      return true;
    });
    if (fault) return fault;
    units(frame, 2);
    return failed ?? count === 1;
  };
}

/** `map`, `filter`, `transformList`: appends `[element]`, whose constructor costs 10 unless it is constant. */
export function collector(
  range: Step,
  slots: FoldSlots,
  filter: Step | undefined,
  element: Step,
  constant: boolean,
): Step {
  return (frame) => {
    const items: Value[] = [];
    let failed: CelError | undefined;
    const fault = forEach(frame, range(frame), slots, () => {
      if (filter) {
        const kept = filter(frame);
        if (kept === false) return true;
        if (kept !== true) {
          // The accumulator becomes the error, and stays it: later turns are still evaluated.
          failed = kept instanceof CelError ? kept : NO_OVERLOAD;
          return true;
        }
      }
      units(frame, 1);
      const value = element(frame);
      if (!constant) charge(frame, 10);
      units(frame, 1);
      if (value instanceof CelError) failed ??= value;
      else if (!failed) items.push(value);
      return true;
    });
    if (fault) return fault;
    checkListSize(items.length);
    units(frame, 1);
    return failed ?? items;
  };
}

/** `transformMap`: inserts under the first variable's key. A broken accumulator ends the turn's call at once. */
export function inserter(range: Step, slots: FoldSlots, filter: Step | undefined, key: Step, value: Step): Step {
  return folding(range, slots, filter, (frame, map, failed) => {
    units(frame, 1);
    if (failed) return failed;
    const under = key(frame);
    if (under instanceof CelError) return under;
    const item = value(frame);
    units(frame, 1);
    return item instanceof CelError ? item : insert(map, under, item);
  });
}

/** `transformMapEntry`: inserts the entries of a map. */
export function entryInserter(range: Step, slots: FoldSlots, filter: Step | undefined, entry: Step): Step {
  return folding(range, slots, filter, (frame, map, failed) => {
    units(frame, 1);
    const items = entry(frame);
    units(frame, 1);
    if (failed) return failed;
    if (items instanceof CelError) return items;
    if (!isMap(items)) return new CelError(`no such overload: cel.@mapInsert(map, ${typeName(items)})`);
    for (const [key, value] of mapEntries(items)) {
      const fault = insert(map, key, value);
      if (fault) return fault;
    }
    return undefined;
  });
}

function insert(map: CelMap, key: Value, value: Value): CelError | undefined {
  if (map.has(key)) return new CelError(`insert failed: key ${formatValue(key)} already exists`);
  map.set(key, value);
  return undefined;
}

type Insertion = (frame: Frame, map: CelMap, failed: CelError | undefined) => CelError | undefined;

function folding(range: Step, slots: FoldSlots, filter: Step | undefined, insertion: Insertion): Step {
  return (frame) => {
    const map = new CelMap();
    let failed: CelError | undefined;
    const fault = forEach(frame, range(frame), slots, () => {
      const kept = filter ? filter(frame) : true;
      if (kept === true) failed = insertion(frame, map, failed);
      else if (kept !== false) failed = kept instanceof CelError ? kept : NO_OVERLOAD;
      return true;
    });
    if (fault) return fault;
    units(frame, 1);
    return failed ?? map;
  };
}

/** Any other fold, by the letter. */
export function fold(range: Step, slots: FoldSlots, init: Step, condition: Step, step: Step, result: Step): Step {
  return (frame) => {
    const over = range(frame);
    frame.locals[slots.accumulator] = init(frame);
    const fault = forEach(frame, over, slots, () => {
      if (condition(frame) !== true) return false;
      frame.locals[slots.accumulator] = step(frame);
      return true;
    });
    return fault ?? result(frame);
  };
}
