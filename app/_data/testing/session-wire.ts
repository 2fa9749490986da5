import type { SessionWire } from "@/lib/chat/wire/sessions";

export function sessionWire(id: string, change: Partial<SessionWire> = {}): SessionWire {
  return {
    id,
    title: id,
    model: null,
    tags: [],
    pinned: false,
    archived: false,
    messageCount: 1,
    parentSessionId: null,
    forkedAtMessageId: null,
    inputTokens: 0,
    outputTokens: 0,
    cost: 0,
    parameters: {},
    assistant: null,
    memoryMode: "on",
    writing: false,
    waiting: false,
    unread: false,
    program: null,
    programId: null,
    folder: null,
    createdAt: "2026-01-01T00:00:00Z",
    updatedAt: "2026-01-01T00:00:00Z",
    ...change,
  };
}
