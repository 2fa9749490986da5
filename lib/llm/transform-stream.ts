export interface Transform<Item> {
  /** Called for each item; sends any number of items in its place. */
  transform(item: Item, output: Output<Item>): void;
  /** Called after the last one. */
  flush?(output: Pick<Output<Item>, "enqueue">): void;
}

export interface Output<Item> {
  enqueue(item: Item): void;
  /** Ends both streams. */
  terminate(): void;
}

/**
 * As `pipeThrough(new TransformStream(…))`, at a third of its cost for each item. It reads only when asked, so that an
 * error of `stream` never overtakes an item before it.
 */
export function transformStream<Item>(
  stream: ReadableStream<Item>,
  { transform, flush }: Transform<Item>,
): ReadableStream<Item> {
  const reader = stream.getReader();
  const pull = async (controller: ReadableStreamDefaultController<Item>) => {
    let isSent = false;
    let isOver = false;
    const output: Output<Item> = {
      enqueue(item) {
        isSent = true;
        controller.enqueue(item);
      },
      terminate() {
        isOver = true;
      },
    };
    while (!isSent && !isOver) {
      const { done, value } = await reader.read();
      if (done) {
        flush?.(output);
        return controller.close();
      }
      transform(value, output);
    }
    if (!isOver) return;
    controller.close();
    // The provider may have gone already.
    await reader.cancel().catch(() => undefined);
  };
  return new ReadableStream(
    { pull, cancel: (reason) => reader.cancel(reason) },
    { highWaterMark: 0 },
  );
}
