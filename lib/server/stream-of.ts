/** Turns a generator into a stream with backpressure; cancelling the stream ends the generator. */
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
