import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect } from "@playwright/test";
import type { SendRequest, SendResponse, TranscriptWire } from "@/lib/chat/wire/messages";
import type { SessionWire } from "@/lib/chat/wire/sessions";
import { testOwnerCookie } from "@/lib/server/owner-of";

/** Makes an empty session and returns its id. */
export async function makeSession(request: APIRequestContext, title: string): Promise<string> {
  const response = await request.post("/api/sessions", { data: { title } });
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
