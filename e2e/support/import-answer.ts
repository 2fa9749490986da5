import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect } from "@playwright/test";

/** No model has to write the answer: it comes with an imported chat. Returns its id. */
export async function importAnswer(request: APIRequestContext, text: string): Promise<string> {
  const id = randomUUID();
  const now = new Date().toISOString();
  const message = { type: "message", createdAt: now, pinned: false, label: null };
  const said = (words: string) => ({
    parts: [{ type: "text", text: words }],
    metadata: { status: "complete" },
  });
  const leaf = `${id}-a`;
  const lines = [
    { type: "grove-export", format: 1, exportedAt: now },
    {
      ...{ type: "session", id, title: "An answer", model: null, source: null },
      ...{ tags: [], metadata: {}, parentSessionId: null, forkedAtMessageId: null },
      ...{ inputTokens: 0, outputTokens: 0, cost: 0, frozenPrompt: null, pinnedAt: null },
      ...{ archivedAt: null, createdAt: now, updatedAt: now, activeLeafId: leaf, leafIds: [leaf] },
    },
    { ...message, id: `${id}-q`, parentId: null, role: "user", content: said("Show me") },
    { ...message, id: leaf, parentId: `${id}-q`, role: "assistant", content: said(text) },
    { type: "session-end", id, messages: 2 },
    { type: "end", sessions: 1 },
  ];
  const response = await request.post("/api/import", {
    headers: { "Content-Type": "application/x-ndjson" },
    data: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  });
  expect(await response.json()).toMatchObject({ sessions: { imported: 1 } });
  return id;
}
