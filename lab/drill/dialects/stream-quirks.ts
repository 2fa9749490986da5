import type { StreamQuirk } from "./dialect";

/** Gemini signs its thoughts. */
export const signature = "c2lnbmVk";

interface Chunk {
  readonly choices?: readonly Choice[];
  readonly candidates?: readonly { readonly content?: { readonly parts?: readonly object[] } }[];
  readonly [field: string]: unknown;
}

interface Choice {
  readonly index?: number;
  readonly delta?: Delta;
  readonly finish_reason?: string | null;
  readonly [field: string]: unknown;
}

interface Delta {
  readonly content?: unknown;
  readonly reasoning_content?: string | null;
  readonly tool_calls?: readonly object[] | null;
  readonly [field: string]: unknown;
}

/** Lines that a server sends while it waits for its model. */
export function waitsWith(line: string): StreamQuirk {
  return (events) => [`${line}\n\n`, ...events];
}

/** Thoughts under another name, as OpenRouter, Groq, Ollama, LM Studio and newer versions of vLLM send them. */
export const namesReasoning: StreamQuirk = inDeltas(({ reasoning_content: reasoning, ...delta }) =>
  reasoning === undefined ? delta : { ...delta, reasoning },
);

/** OpenRouter's, beside the plain one. */
export const detailsReasoning: StreamQuirk = inDeltas(
  ({ reasoning_content: reasoning, ...delta }) =>
    reasoning === undefined
      ? delta
      : { ...delta, reasoning, reasoning_details: [{ type: "reasoning.text", text: reasoning }] },
);

/** Mistral's models that think. @see https://docs.mistral.ai/capabilities/reasoning */
export const listsThoughts: StreamQuirk = inDeltas(({ reasoning_content: text, ...delta }) =>
  text === undefined
    ? delta
    : { ...delta, content: [{ type: "thinking", thinking: [{ type: "text", text }] }] },
);

/** Every field in every delta, empty or not. */
export const fillsDeltas: StreamQuirk = inDeltas((delta) => ({
  ...{ role: "assistant", content: delta.reasoning_content ? null : "", refusal: null },
  ...{ function_call: null, tool_calls: null, annotations: [], reasoning_content: null },
  ...delta,
}));

/** Ollama numbers each call 0. @see https://github.com/ollama/ollama/issues/15457 */
export const numbersCallsZero: StreamQuirk = inCalls((call) => ({ ...call, index: 0 }));

/** Gemini's calls have no number and no id, but a signature; their end is a plain one. */
export const signsCalls: StreamQuirk = (events) =>
  inEvents((chunk) => ({
    ...chunk,
    choices: (chunk.choices ?? []).map((choice) =>
      choice.finish_reason === "tool_calls" ? { ...choice, finish_reason: "stop" } : choice,
    ),
  }))(
    inCalls(({ index: _, id: __, ...call }: { index?: unknown; id?: unknown }) => ({
      ...call,
      id: "",
      extra_content: { google: { thought_signature: signature } },
    }))(events),
  );

/** Gemini's own protocol signs its parts. */
export const signsParts: StreamQuirk = inEvents(({ candidates, ...chunk }) => ({
  ...chunk,
  candidates: (candidates ?? []).map(({ content, ...candidate }) => ({
    ...candidate,
    content: {
      ...content,
      parts: (content?.parts ?? []).map((part) =>
        "functionCall" in part ? { ...part, thoughtSignature: signature } : part,
      ),
    },
  })),
}));

/**
 * Azure's filter sends a chunk about the question, and late ones about the answer.
 *
 * @see https://learn.microsoft.com/azure/foundry/openai/concepts/content-streaming
 */
export const annotatesContent: StreamQuirk = (events) => {
  const head = { id: "", created: 0, model: "", object: "", choices: [] };
  const results = { hate: { filtered: false, severity: "safe" } };
  const asked = {
    ...head,
    prompt_filter_results: [{ prompt_index: 0, content_filter_results: results }],
  };
  const about = {
    ...{ index: 0, finish_reason: null, content_filter_results: results },
    content_filter_offsets: { check_offset: 0, start_offset: 0, end_offset: 20 },
  };
  return [
    asEvent(asked),
    ...events.slice(0, 2),
    asEvent({ ...head, choices: [about] }),
    ...events.slice(2),
  ];
};

/** A last chunk holds figures beside the answer. */
export function endsWith(chunk: object): StreamQuirk {
  return (events) => {
    const last = events.at(-1) ?? "";
    const done = last.indexOf("data: [DONE]");
    if (done === -1) return events;
    return [...events.slice(0, -1), last.slice(0, done), asEvent(chunk), last.slice(done)];
  };
}

function inCalls(change: (call: object) => object): StreamQuirk {
  return inDeltas((delta) =>
    delta.tool_calls ? { ...delta, tool_calls: delta.tool_calls.map(change) } : delta,
  );
}

function inDeltas(change: (delta: Delta) => Delta): StreamQuirk {
  return inEvents((chunk) => ({
    ...chunk,
    choices: (chunk.choices ?? []).map((choice) =>
      choice.delta ? { ...choice, delta: change(choice.delta) } : choice,
    ),
  }));
}

function inEvents(change: (chunk: Chunk) => object): StreamQuirk {
  return (events) =>
    events.map((event) =>
      event.replaceAll(/^data: (\{.*\})$/gm, (_, json: string) =>
        asEvent(change(JSON.parse(json))).trimEnd(),
      ),
    );
}

function asEvent(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
