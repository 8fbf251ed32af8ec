/** Which warnings reach the client (API server: apiserver endpoints/filters/warning.go, apimachinery net.NewWarningHeader). */

/** Runes of all warnings of a request, before they are cut. */
const TOTAL_RUNES = 4096;
/** Runes of one warning once warnings are cut. */
const ITEM_RUNES = 256;

const CONTROL = /\p{Cc}/u;

/** Empty texts, repeated ones and ones with control characters are dropped; when all are too long together, each is cut. */
export function filterWarnings(raw: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  let sent: string[] = [];
  let written = 0;
  let truncating = false;
  const send = (text: string): void => {
    if (CONTROL.test(text)) return;
    sent.push(text);
    written += [...text].length;
  };
  for (const text of raw) {
    if (text === '' || (truncating && written >= TOTAL_RUNES) || seen.has(text)) continue;
    seen.add(text);
    if (truncating) {
      send(cut(text));
    } else if (CONTROL.test(text) || written + [...text].length <= TOTAL_RUNES) {
      send(text);
    } else {
      truncating = true;
      sent = [];
      written = 0;
      for (const earlier of seen) send(cut(earlier));
    }
  }
  return sent;
}

function cut(text: string): string {
  const runes = [...text];
  return runes.length > ITEM_RUNES ? runes.slice(0, ITEM_RUNES).join('') : text;
}
