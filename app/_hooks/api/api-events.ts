import { answerError, offlineError } from "./api-error";

/**
 * Asks Grove's own API for an answer that comes in pieces, and gives them as they come.
 *
 * @throws {ApiError} for a failing status, and with code `offline` when no answer came or it broke off.
 */
export async function* apiEvents<Event>(
  path: string,
  body: Record<string, unknown>,
): AsyncGenerator<Event, void> {
  const response = await fetch(path, {
    method: "POST",
    headers: { accept: "text/event-stream", "content-type": "application/json" },
    body: JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw offlineError(cause);
  });
  if (!response.ok) throw answerError(response.status, await response.json().catch(() => null));
  if (!response.body) throw offlineError(null);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw offlineError(cause);
    });
    if (done) return;
    const { events, rest: open } = takeEvents<Event>(rest + value);
    rest = open;
    yield* events;
  }
}

/** The whole events in `text`, and what of it belongs to the next one. */
export function takeEvents<Event>(text: string): { events: Event[]; rest: string } {
  const pieces = text.split("\n\n");
  const rest = pieces.pop() ?? "";
  const data = pieces.flatMap((piece) =>
    piece.startsWith("data: ") ? [piece.slice("data: ".length)] : [],
  );
  return { events: data.map((json) => JSON.parse(json) as Event), rest };
}
