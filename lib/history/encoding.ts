/** Some editors and shells write UTF-16: its byte order mark tells, or the zero byte beside its first character. */
export function asUtf8(bytes: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let held = new Uint8Array();
  let decoder: TextDecoder | null | undefined;
  const passOn = (
    chunk: Uint8Array,
    controller: TransformStreamDefaultController<Uint8Array>,
    isLast = false,
  ) => {
    if (decoder === undefined) return;
    const passed = decoder ? encoder.encode(decoder.decode(chunk, { stream: !isLast })) : chunk;
    if (passed.byteLength > 0) controller.enqueue(passed);
  };
  return bytes.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (decoder !== undefined) return passOn(chunk, controller);
        held = joined(held, chunk);
        if (held.byteLength < 4) return;
        decoder = decoderOf(held);
        passOn(held, controller);
      },
      flush(controller) {
        if (decoder !== undefined) return passOn(new Uint8Array(), controller, true);
        decoder = decoderOf(held);
        passOn(held, controller, true);
      },
    }),
  );
}

function decoderOf([first, second, third, fourth]: Uint8Array): TextDecoder | null {
  const isLittle =
    (first === 0xff && second === 0xfe) || (first !== 0 && second === 0 && fourth === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0 && third === 0);
  if (isLittle) return new TextDecoder("utf-16le");
  return isBig ? new TextDecoder("utf-16be") : null;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.byteLength + second.byteLength);
  both.set(first);
  both.set(second, first.byteLength);
  return both;
}
