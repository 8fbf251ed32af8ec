/** A file of facts, as a source. */
import { answerFrom, FactError, type FactSource, readSnapshot, type Snapshot } from '#facts';
import { readDocument } from './document.ts';
import { readText } from './input.ts';
import { InputError, type Io } from './io.ts';

/** The source that answers from a file. Rejects with `InputError` when it is no document of facts. */
export async function readFactsFile(path: string, io: Io): Promise<FactSource> {
  const document = readDocument(path, await readText(path, io));
  try {
    return sourceOf(readSnapshot(document));
  } catch (error) {
    if (error instanceof FactError) throw new InputError(`\`${path}\`: ${error.message}`);
    throw error;
  }
}

/** The source that answers from a snapshot. */
export function sourceOf(snapshot: Snapshot): FactSource {
  return { answer: async (needs) => answerFrom(snapshot, needs) };
}
