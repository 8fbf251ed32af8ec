/** A request's body, no further than a limit and only when it says to be JSON. */
import { type Rejection, reject } from './rejection.ts';

/** The text of a JSON body, or 415 or 413. Nothing is read beyond the limit. */
export async function readBody(request: Request, maxBytes: number): Promise<string | Rejection> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json *(;|$)/i.test(type)) return reject(415, 'the content type must be application/json');
  const tooLarge = reject(413, `the body has more than the ${maxBytes} bytes allowed`);
  const length = request.headers.get('content-length');
  if (length !== null && /^\d{1,15}$/.test(length)) {
    // INVARIANT: every platform's HTTP parser ends a body where its content-length says.
    if (Number(length) > maxBytes) return tooLarge;
    const text = await request.text();
    return text.length > maxBytes ? tooLarge : text;
  }
  if (!request.body) return '';
  const decoder = new TextDecoder();
  const reader = request.body.getReader();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxBytes) {
      reader.cancel().catch(() => undefined);
      return tooLarge;
    }
    text += decoder.decode(value, { stream: true });
  }
}
