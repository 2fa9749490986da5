import { diffLines, isSessionError } from "grove-session";
import type { DocumentVersion } from "grove-session/ports";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { Memory } from "@/lib/chat/memory/memory";
import type { MemoryChangeWire } from "@/lib/chat/wire/branches";
import type { MemoryWriteWire } from "@/lib/chat/wire/messages";

const maxWrites = 100;
const maxVersions = 500;

export interface MessageWrite extends MemoryWriteWire {
  readonly messageId: string;
}

export async function branchMemory(
  owner: OwnerData,
  sessionId: string,
  allWrites: readonly MessageWrite[],
): Promise<MemoryChangeWire[]> {
  const writes = allWrites.slice(0, maxWrites);
  const documents = Map.groupBy(writes, nameOf);
  const versions = new Map(
    await Promise.all(
      [...documents].map(async ([name, [write]]) => {
        return [name, write ? await versionsOf(owner, sessionId, write) : []] as const;
      }),
    ),
  );
  return writes.map((write) => ({
    ...write,
    ...changedLines(versions.get(nameOf(write)) ?? [], write.version),
  }));
}

function nameOf({ label, blockId = label, key, space }: MemoryWriteWire): string {
  return JSON.stringify([blockId, key ?? null, space ?? null]);
}

async function versionsOf(
  owner: OwnerData,
  sessionId: string,
  { label, blockId = label, key, space }: MemoryWriteWire,
): Promise<readonly DocumentVersion[]> {
  // A chat that was moved wrote it elsewhere, where another text may have the same name.
  if (space !== undefined) return [];
  try {
    return await new Memory(owner, sessionId).documentVersions({ blockId, key }, maxVersions);
  } catch (error) {
    if (isSessionError(error) && error.code === "block-not-found") return [];
    throw error;
  }
}

function changedLines(
  versions: readonly DocumentVersion[],
  version: number,
): Pick<MemoryChangeWire, "added" | "removed"> {
  const written = versions.find((each) => each.version === version);
  const before = versions.find((each) => each.version === version - 1);
  if (!written || (!before && version > 1)) return { added: null, removed: null };
  const changes = diffLines(before?.content ?? "", written.content ?? "");
  const linesOf = (kind: "added" | "removed") =>
    changes.filter((change) => change.kind === kind).map(({ line }) => line);
  return { added: linesOf("added"), removed: linesOf("removed") };
}
