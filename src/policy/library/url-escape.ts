/** Percent-encoding by part of a URL, as Go's `net/url` does it. Texts are byte strings. */
import { quoteBytes } from './byte-string.ts';

/** The part of a URL that a text is of; what may stand there unescaped depends on it. */
export type UrlPart = 'path' | 'userinfo' | 'host' | 'zone' | 'query' | 'fragment';

/** Characters, besides letters and digits, that need no escape in a part. */
const PLAIN: Readonly<Record<UrlPart, string>> = {
  path: '-_.~$&+,/:;=@',
  userinfo: '-_.~$&+,;=',
  host: '-_.~!$&\'()*+,;=:[]<>"',
  zone: '-_.~!$&\'()*+,;=:[]<>"',
  query: '-_.~',
  fragment: '-_.~$&+,/:;=?@!()*',
};

const ALPHANUMERIC = /^[0-9A-Za-z]$/;

function isPlain(character: string, part: UrlPart): boolean {
  return ALPHANUMERIC.test(character) || PLAIN[part].includes(character);
}

/** Escapes what a part does not allow. */
export function escapeUrl(bytes: string, part: UrlPart): string {
  let escaped = '';
  for (const character of bytes) {
    if (isPlain(character, part)) escaped += character;
    else if (character === ' ' && part === 'query') escaped += '+';
    else escaped += `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}

/** Whether a path or fragment as written is one that `escapeUrl` could have written in another way. */
export function isValidEncoding(bytes: string, part: UrlPart): boolean {
  for (const character of bytes) {
    if (!"!$&'()*+,;=:@[]%".includes(character) && !isPlain(character, part)) return false;
  }
  return true;
}

const ESCAPE = /^%[0-9a-fA-F]{2}$/;

/** Undoes escapes; the error is Go's text. */
export function unescapeUrl(bytes: string, part: UrlPart): { readonly value: string } | { readonly error: string } {
  let value = '';
  let index = 0;
  while (index < bytes.length) {
    const character = bytes.charAt(index);
    if (character === '%') {
      const triple = bytes.slice(index, index + 3);
      if (!ESCAPE.test(triple)) return { error: `invalid URL escape ${quoteBytes(triple)}` };
      const byte = String.fromCharCode(Number.parseInt(triple.slice(1), 16));
      if (!mayBeEscaped(byte, triple, part)) return { error: `invalid URL escape ${quoteBytes(triple)}` };
      value += byte;
      index += 3;
      continue;
    }
    if ((part === 'host' || part === 'zone') && character < '\x80' && !isPlain(character, part)) {
      return { error: `invalid character ${quoteBytes(character)} in host name` };
    }
    value += character === '+' && part === 'query' ? ' ' : character;
    index++;
  }
  return { value };
}

/** A host may escape bytes beyond ASCII only; a zone also `%` and what a host needs no escape for. */
function mayBeEscaped(byte: string, triple: string, part: UrlPart): boolean {
  if (triple === '%25') return true;
  if (part === 'host') return byte >= '\x80';
  return part !== 'zone' || byte === ' ' || isPlain(byte, 'host');
}
