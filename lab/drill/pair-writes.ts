export interface PairWrite {
  readonly route: string;
  readonly ids: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly lines?: string;
  /** The chat holds it once the request is acknowledged. */
  readonly adds?: string;
  /** The message that `adds` replies to. */
  readonly below?: string;
  /** A chat that borrows the line up to m5. */
  readonly forks?: string;
  /** Messages that the chat lacks once it is acknowledged; `everything`: it is gone. */
  readonly removes?: readonly string[] | "everything";
  readonly restores?: readonly string[] | "everything";
  /** Refused, unless another request came before. */
  readonly undoes?: boolean;
  /** Made before, for this request alone. */
  readonly needs?: PairNeed;
}

/**
 * An answer that waits for the person's word, a running one that asks a question, a summary that failed, and a write to
 * the notes that was held back.
 */
export type PairNeed = "pause" | "question" | "failed-summary" | "proposal";

/** The chat that is written, and a name for everything new. */
export interface PairPlace {
  readonly chat: string;
  readonly name: string;
  /** A deletion in the chat, and the message it took. */
  readonly deletionId: string;
  /** A summary that the chat shows. */
  readonly compactionId: string;
  readonly notesId: string;
  /** A searchable block, with an entry `tea`. */
  readonly factsId: string;
  /** Answers requests of programs. */
  readonly model: string;
}

export const pairLine = ["m1", "m2", "m3", "m4", "m5", "m6"];

export function neededId(need: PairNeed, chat: string): string {
  return `${need}-${chat}`;
}

type Made = Omit<PairWrite, "route" | "ids"> & { readonly ids?: Readonly<Record<string, string>> };
type Write = (place: PairPlace) => Made;

const text = (words: string) => [{ type: "text", text: words }];
const ofNothing: Write = () => ({ body: {} });

function message(place: PairPlace, below: string, parentId?: string | null): Made {
  const { name } = place;
  const under = parentId === undefined ? {} : { parentId };
  return { adds: name, below, body: { id: name, parts: text(name), generate: false, ...under } };
}

function ofBlock(which: "notesId" | "factsId", made: Write): Write {
  return (place) => {
    const { ids, query, ...rest } = made(place);
    const session = `session=${place.chat}`;
    return {
      ...rest,
      ids: { blockId: place[which], ...ids },
      query: query === undefined ? session : `${session}&${query}`,
    };
  };
}

function ofConversation(made: Write): Write {
  return (place) => {
    const { ids, ...rest } = made(place);
    return { ...rest, ids: { conversationId: `conv_${place.chat}`, ...ids } };
  };
}

const writes: Readonly<Record<string, readonly Write[]>> = {
  "POST /api/sessions": [({ name }) => ({ body: { id: `chat-${name}`, title: name } })],
  "PATCH /api/sessions": [
    ({ chat, name }) => ({ body: { changes: [{ id: chat, tags: [name] }] } }),
    ({ chat, name }) => ({
      removes: "everything",
      body: { changes: [{ id: chat, deletionId: name }] },
    }),
  ],
  "PATCH /api/sessions/:sessionId": [
    ({ name }) => ({ body: { title: name, pinned: true } }),
    () => ({ body: { activeLeafId: "m4" } }),
  ],
  "DELETE /api/sessions/:sessionId": [
    ({ name }) => ({ query: `deletionId=${name}`, removes: "everything" }),
  ],
  "POST /api/sessions/:sessionId/restore": [() => ({ body: {}, restores: "everything" })],
  "POST /api/sessions/:sessionId/read": [ofNothing],
  "POST /api/sessions/:sessionId/fork": [
    ({ name }) => ({
      forks: `fork-${name}`,
      body: { id: `fork-${name}`, messageId: "m5", withSideBranches: true },
    }),
  ],
  "POST /api/sessions/:sessionId/messages": [
    (place) => message(place, "m6"),
    (place) => message(place, "m3", "m3"),
    (place) => message(place, "", null),
  ],
  "DELETE /api/sessions/:sessionId/messages": [
    ({ name }) => ({ removes: ["m2"], body: { ids: ["m2"], deletionId: name } }),
    ({ name }) => ({
      removes: pairLine.slice(2),
      body: { ids: ["m3"], subtree: true, deletionId: name },
    }),
  ],
  "POST /api/sessions/:sessionId/messages/restore": [
    ({ deletionId }) => ({ restores: [deletionId], body: { deletionId } }),
  ],
  "PATCH /api/sessions/:sessionId/messages/:messageId": [
    ({ name }) => ({ ids: { messageId: "m1" }, body: { label: name, pinned: true } }),
  ],
  "POST /api/sessions/:sessionId/messages/:messageId/edited": [
    ({ name }) => ({
      ids: { messageId: "m4" },
      adds: name,
      below: "m3",
      body: { id: name, texts: [`Edited ${name}`] },
    }),
  ],
  "POST /api/sessions/:sessionId/messages/:messageId/approvals/:approvalId": [
    ({ chat }) => ({
      needs: "pause",
      ids: { messageId: neededId("pause", chat), approvalId: "approval" },
      body: { decision: "deny" },
    }),
  ],
  "POST /api/sessions/:sessionId/runs": [
    ({ name }) => ({ adds: name, below: "m5", body: { answerId: name, parentId: "m5" } }),
  ],
  "DELETE /api/sessions/:sessionId/runs/:runId": [
    ({ chat }) => ({ needs: "failed-summary", ids: { runId: neededId("failed-summary", chat) } }),
  ],
  "POST /api/sessions/:sessionId/runs/:runId/stop": [
    ({ chat }) => ({ needs: "pause", ids: { runId: neededId("pause", chat) }, body: {} }),
  ],
  "POST /api/sessions/:sessionId/runs/:runId/questions/:questionId": [
    ({ chat }) => ({
      needs: "question",
      ids: { runId: neededId("question", chat), questionId: "question" },
      body: { action: "decline" },
    }),
  ],
  "POST /api/sessions/:sessionId/compactions": [() => ({ body: { leafId: "m6" } })],
  "PATCH /api/sessions/:sessionId/compactions/:compactionId": [
    ({ compactionId, name }) => ({ ids: { compactionId }, body: { summary: name } }),
  ],
  "DELETE /api/sessions/:sessionId/compactions/:compactionId": [
    ({ compactionId }) => ({ ids: { compactionId } }),
  ],
  "POST /api/sessions/:sessionId/compactions/:compactionId/restore": [
    ({ compactionId }) => ({ undoes: true, ids: { compactionId }, body: {} }),
  ],
  "POST /api/sessions/:sessionId/context/refresh": [ofNothing],
  "POST /api/sessions/:sessionId/skills": [
    () => ({ body: { label: "skills", key: "tea", action: "load" } }),
  ],
  "POST /api/sessions/:sessionId/notes/draft": [() => ({ body: { from: "side", to: "m6" } })],
  "POST /api/sessions/:sessionId/notes": [
    ({ name }) => ({
      adds: name,
      below: "m3",
      body: { kind: "summary", id: name, parentId: "m3", from: "m4", text: "Noted" },
    }),
  ],
  "POST /api/blocks": [
    ({ chat, name }) => ({ query: `session=${chat}`, body: { label: name, scope: "session" } }),
  ],
  "PUT /api/blocks/:blockId": [ofBlock("notesId", ({ name }) => ({ body: { content: name } }))],
  "PATCH /api/blocks/:blockId": [
    ofBlock("notesId", ({ name }) => ({ body: { description: name } })),
  ],
  "DELETE /api/blocks/:blockId": [
    ofBlock("notesId", ({ name }) => ({ query: `deletionId=${name}` })),
  ],
  "POST /api/blocks/:blockId/restore": [ofBlock("notesId", () => ({ undoes: true, body: {} }))],
  "POST /api/blocks/:blockId/entries": [
    ofBlock("factsId", ({ name }) => ({ body: { title: name, content: "An entry" } })),
  ],
  "PUT /api/blocks/:blockId/entries/:key": [
    ofBlock("factsId", ({ name }) => ({
      ids: { key: "tea" },
      body: { title: "Tea", content: name },
    })),
  ],
  "DELETE /api/blocks/:blockId/entries/:key": [
    ofBlock("factsId", ({ name }) => ({ ids: { key: "tea" }, query: `deletionId=${name}` })),
  ],
  "POST /api/deletions/:deletionId/restore": [
    ({ deletionId }) => ({ restores: [deletionId], ids: { deletionId }, body: {} }),
  ],
  "DELETE /api/deletions/:deletionId": [({ deletionId }) => ({ ids: { deletionId } })],
  "POST /api/proposals/:proposalId/accept": [proposal],
  "POST /api/proposals/:proposalId/decline": [proposal],
  "POST /api/import": [({ name }) => ({ lines: importedChat(`import-${name}`) })],
  "POST /v1/responses": [
    ({ chat, name, model }) => ({ body: { conversation: `conv_${chat}`, input: name, model } }),
  ],
  "DELETE /v1/responses/:responseId": [
    ({ chat }) => ({
      needs: "pause",
      removes: [neededId("pause", chat)],
      ids: { responseId: `resp_${neededId("pause", chat)}` },
    }),
  ],
  "POST /v1/conversations/:conversationId": [
    ofConversation(({ name }) => ({ body: { metadata: { name } } })),
  ],
  "DELETE /v1/conversations/:conversationId": [ofConversation(() => ({ removes: "everything" }))],
  "POST /v1/conversations/:conversationId/items": [
    ofConversation(({ name }) => ({
      body: { items: [{ type: "message", role: "user", content: name }] },
    })),
  ],
  "DELETE /v1/conversations/:conversationId/items/:itemId": [
    ofConversation(() => ({ removes: ["m2"], ids: { itemId: "msg_m2" } })),
  ],
};

/** Routes that write no message, summary or block of a chat that another request may write. */
const apart = [
  /^\w+ \/api\/(:path\*|account|people|backups|settings|ollama|tools|keys|projects|prompts|files)(\/|$)/,
  /^POST \/(api\/(example|proposals|import\/undo)|v1\/(conversations|chat\/completions|messages|messages\/count_tokens|embeddings|responses\/compact)|oauth2\/(register|revoke|token)|mcp)$/,
  // Links to pages that were made of the chat: it changes by none of them.
  /^(POST \/api\/sessions\/:sessionId\/shares|POST \/api\/shares\/copies|(PATCH|DELETE) \/api\/shares\/:shareId|DELETE \/api\/people\/shares\/:shareId|POST \/shared\/:token)$/,
  // Temporary chats have no forks.
  /^(POST \/api\/sessions\/:sessionId\/keep|PUT \/api\/sessions\/:sessionId\/presence)$/,
  // No pair has a project: moves have tests beside writers.
  /^POST \/api\/sessions\/:sessionId\/move$/,
  // A drill of its own: it closes the whole owner to all others.
  /^(DELETE \/api\/data|POST \/api\/data\/stop)$/,
  // Waits until an answer has ended, as Stop does.
  /^POST \/v1\/responses\/:responseId\/cancel$/,
  // Refused, whatever they ask.
  /^((PATCH|PUT) \/v1\/|(POST|DELETE) \/v1\/(:path\*|models)|DELETE \/mcp$)/,
  /^DELETE \/v1\/(chat\/completions|messages|messages\/count_tokens|embeddings|conversations|responses|responses\/compact)$/,
  /^(POST|DELETE) \/v1\/responses\/:responseId\/input_items$/,
  /^DELETE \/v1\/(conversations\/:conversationId\/items|responses\/:responseId\/cancel)$/,
  /^POST \/v1\/(conversations\/:conversationId\/items\/:itemId|responses\/:responseId)$/,
];

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
  const unplaced = names.filter((name) => {
    return !(name in writes) && !apart.some((pattern) => pattern.test(name));
  });
  const gone = Object.keys(writes).filter((name) => !names.includes(name));
  return [...unplaced, ...gone];
}

function proposal({ chat }: PairPlace): Made {
  return { needs: "proposal", ids: { proposalId: neededId("proposal", chat) }, body: {} };
}

export function importedChat(id: string): string {
  const at = "2026-01-01T00:00:00.000Z";
  const records = [
    { type: "grove-export", format: 1, exportedAt: at },
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
      ...{ activeLeafId: "i1", leafIds: ["i1"] },
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
