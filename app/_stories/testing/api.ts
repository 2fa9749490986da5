import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { SendRequest, SendResponse, TranscriptWire } from "@/lib/chat/wire/messages";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import type { ModelsWire, ProviderKind } from "@/lib/chat/wire/settings";
import type { StoryRequest } from "./test";

/** Makes an empty session and returns its id. */
export async function makeSession(request: StoryRequest, title: string): Promise<string> {
  const response = await request.post("/api/sessions", { data: { title } });
  expect(response.status()).toBe(201);
  return (await response.json<SessionWire>()).id;
}

/** Stores a question without asking for an answer. */
export async function store(
  request: StoryRequest,
  sessionId: string,
  text: string,
  place: Pick<SendRequest, "parentId" | "id"> = { id: randomUUID() },
): Promise<SendResponse> {
  const response = await request.post(`/api/sessions/${sessionId}/messages`, {
    data: { ...place, parts: [{ type: "text", text }], generate: false },
  });
  expect(response.status()).toBe(201);
  return response.json();
}

/** The path of a session as it is stored; its active one when no leaf is named. */
export async function readTranscript(
  request: StoryRequest,
  sessionId: string,
  query: Record<string, string> = {},
): Promise<TranscriptWire> {
  const response = await request.get(`/api/sessions/${sessionId}/transcript`, { params: query });
  expect(response.status()).toBe(200);
  return response.json();
}

/** The text of each stored message of the active path, oldest first. */
export async function storedTexts(request: StoryRequest, sessionId: string): Promise<string[]> {
  const { entries } = await readTranscript(request, sessionId);
  return entries.map(({ message }) =>
    message.parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
  );
}

interface OfferedProvider {
  /** Ends with the version of the API, such as `/v1`. */
  readonly baseUrl: string;
  readonly kind?: ProviderKind;
  /** New chats start with it. */
  readonly model?: string;
  /** Dollars for a million tokens of the model. */
  readonly price?: { readonly input: number; readonly output: number };
}

/** Adds a provider named “House”, without its dialog, which has stories of its own. */
export async function offerProvider(
  request: StoryRequest,
  { baseUrl, kind = "compatible", model, price }: OfferedProvider,
): Promise<void> {
  const added = await request.put(`/api/settings/providers/${randomUUID()}`, {
    data: { provider: kind, name: "House", baseUrl, apiKey: "sk-house" },
  });
  expect(added.status(), await added.text()).toBe(200);
  if (model === undefined) return;
  const { models } = await (await request.get("/api/models")).json<ModelsWire>();
  const ref = models.find((offered) => offered.ref.endsWith(`/${model}`))?.ref;
  if (ref === undefined) throw new Error(`Grove does not offer ${model}.`);
  const overrides = price && {
    [ref]: {
      contextWindow: null,
      inputPerMillion: price.input,
      outputPerMillion: price.output,
    },
  };
  const data = { defaultModel: ref, modelOverrides: overrides };
  const chosen = await request.patch("/api/settings", { data });
  expect(chosen.status(), await chosen.text()).toBe(200);
}

type IdOf = (at: number) => string;

interface ImportedMore {
  /** Fields of messages that differ, by their place. */
  readonly changed?: (idOf: IdOf) => Readonly<Record<number, object>>;
  readonly summaries?: (idOf: IdOf) => readonly object[];
  /** Default: the last message. The last of them is active. */
  readonly leaves?: readonly string[];
}

/** Imports a chat that takes turns, and returns its id. */
export async function importTurns(
  request: StoryRequest,
  texts: readonly string[],
  { changed, summaries, leaves }: ImportedMore = {},
): Promise<string> {
  const id = randomUUID();
  const createdAt = new Date(2026, 10, 2, 9).toISOString();
  const idOf = (at: number) => `${id}-${at}`;
  const leafIds = leaves ?? [idOf(texts.length - 1)];
  const lines = [
    { type: "grove-export", format: 1, exportedAt: createdAt },
    {
      ...{ type: "session", id, title: "Apples & pears", model: null, source: null },
      ...{ tags: [], metadata: {}, parentSessionId: null, forkedAtMessageId: null },
      ...{ inputTokens: 0, outputTokens: 0, cost: 0, frozenPrompt: null, pinnedAt: null },
      ...{ archivedAt: null, createdAt, updatedAt: createdAt },
      ...{ activeLeafId: leafIds.at(-1), leafIds },
    },
    ...texts.map((text, at) => ({
      ...{ type: "message", createdAt, pinned: false, label: null, id: idOf(at) },
      ...{ parentId: at === 0 ? null : idOf(at - 1), role: at % 2 ? "assistant" : "user" },
      content: { parts: [{ type: "text", text }], metadata: { status: "complete" } },
      ...changed?.(idOf)[at],
    })),
    ...(summaries?.(idOf) ?? []).map((each) => ({
      ...{ type: "compaction", id: randomUUID(), metadata: {}, createdAt, ...each },
    })),
    { type: "session-end", id, messages: texts.length },
    { type: "end", sessions: 1 },
  ];
  const answer = await request.post("/api/import", {
    headers: { "content-type": "application/x-ndjson" },
    data: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  });
  expect(await answer.json()).toMatchObject({ sessions: { imported: 1 } });
  return id;
}
