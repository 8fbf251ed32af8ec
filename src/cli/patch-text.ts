/** A patch for people: one line an operation, coloured like a diff. */
import { stringifyJson, type Value } from '#cel/runtime';
import type { PatchOperation } from '#policy';
import { type Io, paint } from './io.ts';
import { COLUMNS } from './layout.ts';

const FORMS = {
  add: { mark: '+', colour: 'green' },
  remove: { mark: '-', colour: 'red' },
  replace: { mark: '~', colour: 'yellow' },
} as const;

/** The lines of a patch; values are cut to `width` characters. */
export function patchLines(
  patch: readonly PatchOperation[],
  io: Pick<Io, 'colours'>,
  width = COLUMNS,
): readonly string[] {
  return patch.map(({ op, path, value }) => {
    const { mark, colour } = FORMS[op];
    const text = op === 'remove' ? '' : ` ${stringifyJson(value as Value)}`;
    const line = `${mark} ${path}${text}`;
    return paint(io, colour, line.length > width ? `${line.slice(0, width - 1)}…` : line);
  });
}
