import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect } from "@playwright/test";
import type { SendRequest, SendResponse, TranscriptWire } from "@/lib/chat/wire/messages";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import type { ModelsWire, ProviderKind } from "@/lib/chat/wire/settings";
import { testOwnerCookie } from "@/lib/server/owner-of";

export async function makeSession(
  request: APIRequestContext,
  title: string,
  place = "",
): Promise<string> {
  const response = await request.post(`${place}/api/sessions`, { data: { title } });
  expect(response.status()).toBe(201);
  const session: SessionWire = await response.json();
  return session.id;
}

/** Stores a question without asking for an answer. */
export async function store(
  request: APIRequestContext,
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

/** Stores many questions, one after another; not by Playwright's client, which would trace each of them. */
export async function fillSession(
  { baseURL, owner }: { baseURL: string; owner: string },
  sessionId: string,
  messageCount: number,
): Promise<void> {
  const cookie = `${testOwnerCookie}=${owner}`;
  let next = 1;
  const write = async () => {
    while (next <= messageCount) {
      const text = `Message ${next++} of a long conversation`;
      const response = await fetch(`${baseURL}/api/sessions/${sessionId}/messages`, {
        method: "POST",
        headers: { "content-type": "application/json", cookie },
        body: JSON.stringify({
          id: randomUUID(),
          parts: [{ type: "text", text }],
          generate: false,
        }),
      });
      if (!response.ok) throw new Error(await response.text());
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 8 }, write));
}

/** The path of a session as it is stored; its active one when no leaf is named. */
export async function readTranscript(
  request: APIRequestContext,
  sessionId: string,
  query: Record<string, string> = {},
): Promise<TranscriptWire> {
  const response = await request.get(`/api/sessions/${sessionId}/transcript`, { params: query });
  expect(response.status()).toBe(200);
  return response.json();
}

/** The text of each stored message of the active path, oldest first. */
export async function storedTexts(
  request: APIRequestContext,
  sessionId: string,
): Promise<string[]> {
  const { entries } = await readTranscript(request, sessionId);
  return entries.map(({ message }) =>
    message.parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
  );
}

interface OfferedProvider {
  readonly baseUrl: string;
  readonly kind?: ProviderKind;
  /** New chats start with it. */
  readonly model?: string;
  /** Prices of the model, in dollars for a million tokens. */
  readonly price?: { readonly input: number; readonly output: number };
}

/** Adds a provider named “House”, without its dialog, which has stories of its own. */
export async function offerProvider(
  request: APIRequestContext,
  { baseUrl, kind = "compatible", model, price }: OfferedProvider,
): Promise<void> {
  const added = await request.put(`/api/settings/providers/${randomUUID()}`, {
    data: { provider: kind, name: "House", baseUrl, apiKey: "sk-house" },
  });
  expect(added.status(), await added.text()).toBe(200);
  if (model === undefined) return;
  const { models }: ModelsWire = await (await request.get("/api/models")).json();
  const ref = models.find((offered) => offered.ref.endsWith(`/${model}`))?.ref;
  if (ref === undefined) throw new Error(`Grove does not offer ${model}.`);
  const chosen = await request.patch("/api/settings", {
    data: {
      defaultModel: ref,
      modelOverrides: price && {
        [ref]: {
          contextWindow: null,
          inputPerMillion: price.input,
          outputPerMillion: price.output,
        },
      },
    },
  });
  expect(chosen.status(), await chosen.text()).toBe(200);
}
