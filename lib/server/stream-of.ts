/** A stream that draws on a generator as fast as it is read, and ends it when its reader leaves. */
export function streamOf<Value>(values: AsyncGenerator<Value>): ReadableStream<Value> {
  return new ReadableStream<Value>({
    async pull(controller) {
      const next = await values.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await values.return(undefined);
    },
  });
}
