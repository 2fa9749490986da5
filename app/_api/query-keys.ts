export interface SessionListFilter {
  archived: boolean;
  tag: string | null;
  program?: string;
}

export function isOwnList({ archived, tag, program }: SessionListFilter): boolean {
  return !archived && tag === null && program === undefined;
}

export type MemoryScope = string | null;

/** Everything of a session lies under `session(id)`, so one invalidation reaches it. */
export const queryKeys = {
  sessionLists: ["sessions"] as const,
  sessionList: (filter: SessionListFilter) => ["sessions", filter] as const,

  anySession: ["session"] as const,
  session: (id: string) => ["session", id] as const,
  sessionDetail: (id: string) => ["session", id, "detail"] as const,
  transcripts: (id: string) => ["session", id, "transcript"] as const,
  transcript: (id: string, page: string) => ["session", id, "transcript", page] as const,
  answer: (id: string, answerId: string) => ["session", id, "answer", answerId] as const,
  versions: (id: string, messageId: string) => ["session", id, "versions", messageId] as const,
  noteSource: (id: string, from: string, to: string | null) =>
    ["session", id, "note-source", from, to] as const,
  compare: (id: string, sides: { left: string; right: string; limit: number }) =>
    ["session", id, "compare", sides] as const,
  pageFile: (id: string, shown: object) => ["session", id, "page-file", shown] as const,
  shares: ["shares"] as const,
  tree: (id: string) => ["session", id, "tree"] as const,
  contexts: (id: string) => ["session", id, "context"] as const,
  context: (id: string, leaf: string | null | undefined) =>
    ["session", id, "context", leaf === undefined ? {} : { leaf }] as const,
  receipt: (id: string, messageId: string) => ["session", id, "receipt", messageId] as const,
  uses: (id: string, messageId: string) => ["session", id, "uses", messageId] as const,
  compactionPreviews: (id: string) => ["session", id, "compaction-preview"] as const,
  compactionPreview: (id: string, leaf: string | null) =>
    ["session", id, "compaction-preview", leaf] as const,

  fileSource: (sha256: string) => ["file-source", sha256] as const,
  filePages: (sha256: string, from: number) => ["file-pages", sha256, from] as const,
  programs: ["programs"] as const,
  programKeys: ["program-keys"] as const,
  projects: ["projects"] as const,
  members: (spaceId: string) => ["projects", spaceId, "members"] as const,
  projectList: (deleted: boolean) => ["projects", { deleted }] as const,
  prompts: ["prompts"] as const,
  assistants: ["memory", "assistants"] as const,
  tools: ["tools"] as const,
  about: ["about"] as const,
  memory: ["memory"] as const,
  blocks: (scope: MemoryScope) => ["memory", "blocks", scope] as const,
  blocksIn: (space: string | null) => ["memory", "blocks-in", space] as const,
  blocksOf: (session: MemoryScope, { scope }: { scope: "owner" | "session" }) =>
    scope === "owner" ? (["memory", "blocks"] as const) : (["memory", "blocks", session] as const),
  versionsOf: (blockId: string) => ["memory", "versions", blockId] as const,
  blockVersions: (scope: MemoryScope, blockId: string) =>
    ["memory", "versions", blockId, scope] as const,
  entries: (scope: MemoryScope, blockId: string, q: string) =>
    ["memory", "entries", scope, blockId, q] as const,
  entry: (blockId: string, key: string) => ["memory", "entry", blockId, key] as const,
  entryVersions: (scope: MemoryScope, blockId: string, key: string) =>
    ["memory", "entry-versions", scope, blockId, key] as const,

  proposals: (scope: MemoryScope) => ["memory", "proposals", scope] as const,
  proposal: (id: string) => ["memory", "proposal", id] as const,

  search: (q: string, session: string | null, limit: number) =>
    ["search", q, session, limit] as const,
  searchElsewhere: (q: string) => ["search", "elsewhere", q] as const,
  models: ["models"] as const,
  ollama: ["models", "ollama"] as const,
  settings: ["settings"] as const,
  usage: ["usage"] as const,
  usageOf: (days: number | null) => ["usage", days] as const,
  tags: ["tags"] as const,
  dataCounts: ["data"] as const,
  storage: ["storage"] as const,
  fileFacts: (sha256: string) => ["files", sha256, "facts"] as const,
  backups: ["backups"] as const,
  house: ["house"] as const,
  deletions: ["deletions"] as const,
};
