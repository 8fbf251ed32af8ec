/** Text for terminals: no line is longer than this. */
export const COLUMNS = 100;

/** The text in lines of at most `width` characters, broken between words; a longer word has a line of its own. */
export function wrap(text: string, width: number = COLUMNS): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
