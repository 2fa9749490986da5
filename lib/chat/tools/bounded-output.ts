import type { Tool } from "ai";

/** Of a whole output, as it is stored; sources shorten what they bring to less. */
const mostOutputCharacters = 1_000_000;

/** The same tool, whose call fails with a sentence when its output is larger than any is stored. */
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

/** @throws {Error} for the model and the person. */
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
