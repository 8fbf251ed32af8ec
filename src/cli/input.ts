/** The files that a command line names: single files, folders with all that is in them, `-` for standard input. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Source } from '#diagnostics';
import { InputError, type Io } from './io.ts';

/** The file that a folder of policies keeps its tests in; it is no manifest. */
export const TESTS_FILE = 'tests.yaml';

const MANIFEST = /\.(ya?ml|json)$/;

/** The manifests at some paths, in the order given, folders by name. A file named itself is taken whatever its name. */
export async function readManifests(paths: readonly string[], io: Io): Promise<readonly Source[]> {
  const isManifest = (path: string): boolean => MANIFEST.test(path) && basename(path) !== TESTS_FILE;
  const sources: Source[] = [];
  for (const path of paths) {
    const files = path === '-' ? ['-'] : await filesAt(path, isManifest);
    if (files.length === 0) throw new InputError(`there is no YAML or JSON file in \`${path}\``);
    for (const file of files) {
      sources.push({ name: file, text: await readText(file, io) });
      io.progress(`read ${sources.length} files`);
    }
  }
  return sources;
}

/** The files with tests at some paths. */
export async function findTests(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const files = await filesAt(path, (file) => basename(file) === TESTS_FILE);
    if (files.length === 0) throw new InputError(`there is no ${TESTS_FILE} in \`${path}\``);
    found.push(...files);
  }
  return found;
}

/** The text of a file, or of standard input for `-`. */
export async function readText(path: string, io: Io): Promise<string> {
  if (path === '-') return io.stdin();
  return (await readBytes(path)).toString('utf8');
}

export async function readBytes(path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
}

async function filesAt(path: string, wanted: (file: string) => boolean): Promise<readonly string[]> {
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (!found.isDirectory()) return [path];
  const files: string[] = [];
  const entries = await readdir(path, { withFileTypes: true });
  for (const { name } of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    if (name.startsWith('.') || name === 'node_modules') continue;
    const inner = join(path, name);
    if ((await stat(inner)).isDirectory()) files.push(...(await filesAt(inner, wanted)));
    else if (wanted(inner)) files.push(inner);
  }
  return files;
}

function unreadable(path: string, error: unknown): InputError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = code === 'ENOENT' ? 'there is no such file or folder' : code === 'EACCES' ? 'permission denied' : code;
  return new InputError(`cannot read \`${path}\`: ${why}`);
}
