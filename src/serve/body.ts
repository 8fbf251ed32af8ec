/** A request's body, no further than a limit and only when it says to be JSON. */
import { type Rejection, reject } from './rejection.ts';

/** Of a body that is too large, so much more is read and dropped: a client that still writes does not see the answer. */
const MAX_DRAINED_BYTES = 64 * 1024 * 1024;

/** The text of a JSON body, or 415 or 413. Nothing is kept beyond the limit. */
export async function readBody(request: Request, maxBytes: number): Promise<string | Rejection> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json *(;|$)/i.test(type)) return reject(415, 'the content type must be application/json');
  const tooLarge = reject(413, `the body has more than the ${maxBytes} bytes allowed`);
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  if (length <= maxBytes) {
    // INVARIANT: every platform's HTTP parser ends a body where its content-length says.
    const text = await request.text();
    return text.length > maxBytes ? tooLarge : text;
  }
  if (length > MAX_DRAINED_BYTES) return tooLarge;
  if (!request.body) return '';
  const decoder = new TextDecoder();
  const reader = request.body.getReader();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Math.max(size, length || 0) > maxBytes ? tooLarge : text + decoder.decode();
    size += value.byteLength;
    if (size <= maxBytes) {
      text += decoder.decode(value, { stream: true });
    } else if (Number.isNaN(length) || size > MAX_DRAINED_BYTES) {
      reader.cancel().catch(() => undefined);
      return tooLarge;
    }
  }
}
