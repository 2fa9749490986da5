import type { UIMessageChunk } from "ai";
import type { RunWire } from "@/lib/chat/wire/messages";

/** `after` 0 means from the first chunk; `null` when the run is over and its chunks are gone. @throws with a `statusCode`. */
export async function openRunStream(
  { sessionId, id, part }: Pick<RunWire, "id" | "sessionId" | "part">,
  { after, signal }: { readonly after: number; readonly signal: AbortSignal },
): Promise<ReadableStream<UIMessageChunk> | null> {
  const path = `/api/sessions/${encodeURIComponent(sessionId)}/runs/${encodeURIComponent(id)}`;
  const response = await fetch(`${path}/stream?after=${after}&part=${part}`, { signal });
  if (response.status === 404 || response.status === 204) return null;
  if (!response.ok || !response.body) {
    const error = new Error(`The answer cannot be read (${response.status}).`);
    throw Object.assign(error, { statusCode: response.status });
  }
  return response.body.pipeThrough(new TextDecoderStream()).pipeThrough(chunksOfEvents());
}

/** The events' data, as the AI SDK writes it: JSON, and `[DONE]` at the end. */
function chunksOfEvents(): TransformStream<string, UIMessageChunk> {
  let rest = "";
  return new TransformStream({
    transform(text, controller) {
      const events = (rest + text).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        const data = event.startsWith("data: ") ? event.slice("data: ".length) : "";
        // The server writes every chunk from the same types, so it is trusted here.
        if (data.startsWith("{")) controller.enqueue(JSON.parse(data) as UIMessageChunk);
      }
    },
  });
}
