import type { Tool } from "ai";

/** Limit of a whole stored output; sources shorten their results to less. */
const mostOutputCharacters = 1_000_000;

export function withBoundedOutput(tool: Tool): Tool {
  const { execute } = tool;
  if (!execute) return tool;
  return {
    ...tool,
    execute: (...given: Parameters<typeof execute>) => {
      const output: unknown = execute(...given);
      return isIterable(output) ? boundedEach(output) : boundedLater(output);
    },
  } as Tool;
}

async function* boundedEach(outputs: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  for await (const output of outputs) yield bounded(output);
}

async function boundedLater(output: unknown): Promise<unknown> {
  return bounded(await output);
}

function bounded(output: unknown): unknown {
  const { length = 0 } = JSON.stringify(output) ?? {};
  if (length <= mostOutputCharacters) return output;
  const [size, limit] = [length, mostOutputCharacters].map((each) => each.toLocaleString("en"));
  throw new Error(
    `The tool returned ${size} characters, and at most ${limit} are taken, so all were left out. Ask it for less.`,
  );
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
