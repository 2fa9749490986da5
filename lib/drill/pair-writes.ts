/** One request about a chat, and its effect. */
export interface PairWrite {
  /** As `POST /api/sessions/:sessionId/fork`. */
  readonly route: string;
  readonly ids: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  /** Of an import, instead of a body. */
  readonly lines?: string;
  /** The chat holds it once the request is acknowledged. */
  readonly adds?: string;
  /** A chat that borrows the line up to m5. */
  readonly forks?: string;
  /** Messages that the chat may lack afterwards; `everything`: it may be gone. */
  readonly removes?: readonly string[] | "everything";
}

/** The chat that is written, and a name for everything new. */
export interface PairPlace {
  readonly chat: string;
  readonly name: string;
  /** A deletion in the chat. */
  readonly deletionId: string;
  /** A summary that the chat shows. */
  readonly compactionId: string;
  readonly blockId: string;
}

/** Of every chat: questions have odd numbers. */
export const pairLine = ["m1", "m2", "m3", "m4", "m5", "m6"];

type Write = (place: PairPlace) => Omit<PairWrite, "route" | "ids"> & {
  readonly ids?: Readonly<Record<string, string>>;
};

const text = (words: string) => [{ type: "text", text: words }];
const inChat: Write = ({ chat }) => ({ query: `session=${chat}` });
const ofNothing: Write = () => ({ body: {} });

const message = (place: PairPlace, parentId?: string | null) => ({
  adds: place.name,
  body: {
    id: place.name,
    parts: text(place.name),
    generate: false,
    ...(parentId !== undefined && { parentId }),
  },
});

/** A route may be asked in several ways. */
const writes: Readonly<Record<string, readonly Write[]>> = {
  "POST /api/sessions": [({ name }) => ({ body: { id: `chat-${name}`, title: name } })],
  "PATCH /api/sessions/:sessionId": [
    ({ name }) => ({ body: { title: name, pinned: true } }),
    () => ({ body: { activeLeafId: "m4" } }),
  ],
  "DELETE /api/sessions/:sessionId": [
    ({ name }) => ({ query: `deletionId=${name}`, removes: "everything" }),
  ],
  "POST /api/sessions/:sessionId/restore": [ofNothing],
  "POST /api/sessions/:sessionId/read": [ofNothing],
  "PUT /api/sessions/:sessionId/presence": [() => ({ body: { isOpen: true } })],
  "POST /api/sessions/:sessionId/keep": [ofNothing],
  "POST /api/sessions/:sessionId/fork": [
    ({ name }) => ({
      forks: `fork-${name}`,
      body: { id: `fork-${name}`, messageId: "m5", withSideBranches: true },
    }),
  ],
  "POST /api/sessions/:sessionId/messages": [
    (place) => message(place),
    (place) => message(place, "m3"),
    (place) => message(place, null),
  ],
  "DELETE /api/sessions/:sessionId/messages": [
    ({ name }) => ({ removes: ["m2"], body: { ids: ["m2"], deletionId: name } }),
    ({ name }) => ({
      removes: pairLine.slice(2),
      body: { ids: ["m3"], subtree: true, deletionId: name },
    }),
  ],
  "POST /api/sessions/:sessionId/messages/restore": [
    ({ deletionId }) => ({ body: { deletionId } }),
  ],
  "PATCH /api/sessions/:sessionId/messages/:messageId": [
    ({ name }) => ({ ids: { messageId: "m1" }, body: { label: name, pinned: true } }),
  ],
  "POST /api/sessions/:sessionId/messages/:messageId/edited": [
    ({ name }) => ({
      ids: { messageId: "m4" },
      adds: name,
      body: { id: name, texts: [`Edited ${name}`] },
    }),
  ],
  "POST /api/sessions/:sessionId/messages/:messageId/approvals/:approvalId": [
    () => ({ ids: { messageId: "m4", approvalId: "a" }, body: { decision: "approve" } }),
  ],
  "POST /api/sessions/:sessionId/runs": [
    ({ name }) => ({ adds: name, body: { answerId: name, parentId: "m5" } }),
  ],
  "DELETE /api/sessions/:sessionId/runs/:runId": [() => ({ ids: { runId: "r" } })],
  "POST /api/sessions/:sessionId/runs/:runId/stop": [() => ({ ids: { runId: "r" }, body: {} })],
  "POST /api/sessions/:sessionId/runs/:runId/questions/:questionId": [
    () => ({ ids: { runId: "r", questionId: "q" }, body: { answer: "yes" } }),
  ],
  "POST /api/sessions/:sessionId/compactions": [() => ({ body: { leafId: "m4" } })],
  "PATCH /api/sessions/:sessionId/compactions/:compactionId": [
    ({ compactionId, name }) => ({ ids: { compactionId }, body: { summary: name } }),
  ],
  "DELETE /api/sessions/:sessionId/compactions/:compactionId": [
    ({ compactionId }) => ({ ids: { compactionId } }),
  ],
  "POST /api/sessions/:sessionId/compactions/:compactionId/restore": [
    ({ compactionId }) => ({ ids: { compactionId }, body: {} }),
  ],
  "POST /api/sessions/:sessionId/context/refresh": [ofNothing],
  "POST /api/sessions/:sessionId/skills": [
    () => ({ body: { label: "skills", key: "tea", action: "load" } }),
  ],
  "POST /api/sessions/:sessionId/notes/draft": [() => ({ body: { from: "m4", to: null } })],
  "POST /api/sessions/:sessionId/notes": [
    ({ name }) => ({
      adds: name,
      body: { kind: "summary", id: name, parentId: "m3", from: "m4", text: "Noted" },
    }),
  ],
  "POST /api/blocks": [
    ({ chat, name }) => ({
      query: `session=${chat}`,
      body: { label: name.slice(0, 40), scope: "session" },
    }),
  ],
  "PUT /api/blocks/:blockId": [
    ({ chat, blockId, name }) => ({
      ids: { blockId },
      query: `session=${chat}`,
      body: { content: name },
    }),
  ],
  "PATCH /api/blocks/:blockId": [
    ({ chat, blockId, name }) => ({
      ids: { blockId },
      query: `session=${chat}`,
      body: { description: name },
    }),
  ],
  "DELETE /api/blocks/:blockId": [
    ({ chat, blockId, name }) => ({
      ids: { blockId },
      query: `session=${chat}&deletionId=${name}`,
    }),
  ],
  "POST /api/blocks/:blockId/restore": [
    ({ chat, blockId }) => ({ ids: { blockId }, query: `session=${chat}`, body: {} }),
  ],
  "POST /api/blocks/:blockId/entries": [
    (place) => ({
      ...inChat(place),
      ids: { blockId: place.blockId },
      body: { title: place.name, content: "An entry" },
    }),
  ],
  "PUT /api/blocks/:blockId/entries/:key": [
    (place) => ({
      ...inChat(place),
      ids: { blockId: place.blockId, key: "tea" },
      body: { title: "Tea", content: place.name },
    }),
  ],
  "DELETE /api/blocks/:blockId/entries/:key": [
    (place) => ({ ...inChat(place), ids: { blockId: place.blockId, key: "tea" } }),
  ],
  "POST /api/import": [({ name }) => ({ lines: importedChat(`import-${name}`) })],
  "POST /v1/conversations/:conversationId/items": [
    ({ chat, name }) => ({
      ids: { conversationId: `conv_${chat}` },
      body: { items: [{ type: "message", role: "user", content: name }] },
    }),
  ],
};

/** Routes that write no message, summary or block of a chat that another request may write. */
const apart =
  /^(\w+ \/(api\/(:path|account|people|backups|settings|tools|keys|prompts|files|data|example|proposals|deletions|import\/undo)\b|sign-in|welcome|mcp$)|\w+ \/v1\/(?!conversations\/:conversationId\/items$)|(DELETE|PATCH|PUT) \/v1\/)/;

/** In the order of their routes. */
export function pairWritesAt(place: PairPlace): PairWrite[] {
  return Object.entries(writes).flatMap(([route, ways]) =>
    ways.map((way): PairWrite => {
      const { ids = {}, ...rest } = way(place);
      return { route, ...rest, ids: { sessionId: place.chat, ...ids } };
    }),
  );
}

/** Writing routes with no place in the pairs and none apart, and places of routes that are gone. */
export function unplacedRoutes(
  found: readonly { readonly name: string; readonly method: string }[],
): string[] {
  const names = found.filter(({ method }) => method !== "GET").map(({ name }) => name);
  const unplaced = names.filter((name) => !(name in writes) && !apart.test(name));
  const gone = Object.keys(writes).filter((name) => !names.includes(name));
  return [...unplaced, ...gone];
}

function importedChat(id: string): string {
  const at = "2026-01-01T00:00:00.000Z";
  const records = [
    { type: "grove-export", format: 2, exportedAt: at },
    {
      ...{ type: "session", id, title: id, model: null, source: null, tags: [], metadata: {} },
      ...{
        parentSessionId: null,
        forkedAtMessageId: null,
        inputTokens: 0,
        outputTokens: 0,
        cost: 0,
      },
      ...{ frozenPrompt: null, pinnedAt: null, archivedAt: null, createdAt: at, updatedAt: at },
      activeLeafId: "i1",
    },
    {
      ...{ type: "message", id: "i1", parentId: null, role: "user", createdAt: at },
      ...{ pinned: false, label: null, content: { parts: text("Imported") } },
    },
    { type: "session-end", id, messages: 1 },
    { type: "end", sessions: 1 },
  ];
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
