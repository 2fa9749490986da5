import { type ContextEntry, estimateStringTokens } from "grove-session";
import type { DocumentVersion } from "grove-session/ports";
import type { EntryDocumentWire, VersionWire } from "@/lib/chat/wire/memory";
import { toWire } from "@/lib/chat/wire/wire";

export function versionWire({ provenance, ...version }: DocumentVersion): VersionWire {
  const { author, program, sessionId, messageId, proposalId } = provenance;
  return {
    ...toWire(version),
    author,
    program: program ?? null,
    sessionId: sessionId ?? null,
    messageId: messageId ?? null,
    proposed: proposalId !== undefined,
  };
}

export function entryWire({ key, title, ...entry }: ContextEntry): EntryDocumentWire {
  const { description, content, version, updatedAt } = entry;
  return {
    ...toWire({ key, title, description, content, version, updatedAt }),
    tokens: estimateStringTokens(content),
    loaded: false,
    problem: null,
  };
}
