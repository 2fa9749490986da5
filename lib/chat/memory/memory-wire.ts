import type { EntryDocumentWire, VersionWire } from "@/lib/chat/wire/memory";
import { type ContextEntry, type DocumentVersion, estimateStringTokens } from "@/lib/session";

export function versionWire(version: DocumentVersion): VersionWire {
  const { author, program, sessionId, messageId, proposalId } = version.provenance;
  return {
    version: version.version,
    content: version.content,
    author,
    program: program ?? null,
    sessionId: sessionId ?? null,
    messageId: messageId ?? null,
    proposed: proposalId !== undefined,
    createdAt: version.createdAt.toISOString(),
  };
}

export function entryWire(entry: ContextEntry): EntryDocumentWire {
  return {
    key: entry.key,
    title: entry.title,
    description: entry.description,
    content: entry.content,
    version: entry.version,
    tokens: estimateStringTokens(entry.content),
    updatedAt: entry.updatedAt.toISOString(),
    loaded: false,
    problem: null,
  };
}
