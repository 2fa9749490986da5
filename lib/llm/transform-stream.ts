export interface Source<Item> {
  read(): Promise<ReadableStreamReadResult<Item>>;
  cancel(reason?: unknown): Promise<void>;
}

const sources = new WeakMap<ReadableStream<unknown>, Source<unknown>>();

/** Passing over a stream that `streamOf` made keeps a chain of them at the cost of one. */
export function sourceOf<Item>(stream: ReadableStream<Item>): Source<Item> {
  const reader = stream.getReader();
  return (sources.get(stream) as Source<Item> | undefined) ?? reader;
}

/** Reads only when asked, so that an error never overtakes an item before it. */
export function streamOf<Item>(source: Source<Item>): ReadableStream<Item> {
  const stream = new ReadableStream<Item>(
    {
      async pull(controller) {
        const { done, value } = await source.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => source.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  sources.set(stream, source);
  return stream;
}

export interface Transform<Item> {
  transform(item: Item, output: Output<Item>): void;
  flush?(output: Pick<Output<Item>, "enqueue">): void;
}

export interface Output<Item> {
  enqueue(item: Item): void;
  terminate(): void;
}

/** `pipeThrough(new TransformStream(…))` at a third of its cost per item. */
export function transformStream<Item>(
  stream: ReadableStream<Item>,
  transform: Transform<Item>,
): ReadableStream<Item> {
  return streamOf(new TransformedSource(sourceOf(stream), transform));
}

class TransformedSource<Item> implements Source<Item> {
  readonly #source: Source<Item>;
  readonly #transform: Transform<Item>;
  readonly #ready: Item[] = [];
  #isOver = false;
  readonly #output: Output<Item> = {
    enqueue: (item) => void this.#ready.push(item),
    terminate: () => {
      this.#isOver = true;
      // The provider may have gone already.
      this.#source.cancel().catch(() => undefined);
    },
  };

  constructor(source: Source<Item>, transform: Transform<Item>) {
    this.#source = source;
    this.#transform = transform;
  }

  async read(): Promise<ReadableStreamReadResult<Item>> {
    while (this.#ready.length === 0 && !this.#isOver) {
      const { done, value } = await this.#source.read();
      if (done) {
        this.#isOver = true;
        this.#transform.flush?.(this.#output);
      } else this.#transform.transform(value, this.#output);
    }
    const [item] = this.#ready.splice(0, 1);
    return item === undefined ? { done: true, value: undefined } : { done: false, value: item };
  }

  cancel(reason?: unknown): Promise<void> {
    this.#isOver = true;
    return this.#source.cancel(reason);
  }
}
