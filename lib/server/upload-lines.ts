import { HttpError } from "./http-error";

const longestLine = 32_000_000;

export async function* uploadLines(
  file: AsyncIterable<Uint8Array>,
  { lineCharacters = longestLine } = {},
): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let pieces: string[] = [];
  let waiting = 0;
  function* split(text: string): Generator<string> {
    const [first = "", ...others] = text.split("\n");
    pieces.push(first);
    waiting += first.length;
    for (const next of others) {
      yield pieces.join("");
      pieces = [next];
      waiting = next.length;
    }
    if (waiting > lineCharacters)
      throw new HttpError(413, "too-large", "A line of the file is longer than 32 MB.");
  }
  for await (const bytes of file)
    yield* split(decoded(() => decoder.decode(bytes, { stream: true })));
  yield* split(decoded(() => decoder.decode()));
  if (waiting > 0) yield pieces.join("");
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    const error = new HttpError(400, "invalid-body", "The file is not UTF-8 text.");
    error.cause = cause;
    throw error;
  }
}
