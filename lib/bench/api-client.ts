import { z } from "zod";

const errorSchema = z.object({ error: z.object({ message: z.string() }) });

/** Sends JSON to Grove and parses what it answers. @throws with Grove's own sentence when it refuses. */
export async function callApi<Schema extends z.ZodType>(
  url: string,
  { method = "GET", body, answer }: { method?: string; body?: unknown; answer: Schema },
): Promise<z.output<Schema>> {
  const response = await fetch(url, {
    method,
    ...(body !== undefined && {
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  const value: unknown = await response.json();
  if (response.ok) return answer.parse(value);
  throw new Error(`${method} ${url}: ${errorSchema.parse(value).error.message}`);
}

const chunkSchema = z.looseObject({ type: z.string(), delta: z.string().optional() });

/** The chunks of an answer as they arrive. */
export async function* chunksOf(url: string): AsyncGenerator<z.output<typeof chunkSchema>> {
  const { body } = await fetch(url);
  if (!body) return;
  let rest = "";
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const json = event.replace(/^data: /, "");
      if (json.startsWith("{")) yield chunkSchema.parse(JSON.parse(json));
    }
  }
}
