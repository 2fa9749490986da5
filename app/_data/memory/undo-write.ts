import { api } from "@/app/_api/api";
import { ApiError } from "@/app/_api/api-error";
import type { MemoryScope } from "@/app/_api/query-keys";
import type { VersionWire } from "@/lib/chat/wire/memory";
import type { MemoryWriteWire } from "@/lib/chat/wire/messages";

export interface JoinedWrite extends MemoryWriteWire {
  /** The first of its versions, which follow one another up to `version`. */
  readonly since?: number;
}

/** Somebody else's write between two keeps them apart, so that no undo takes it. */
export function joinedWrites(writes: readonly MemoryWriteWire[]): JoinedWrite[] {
  const joined: JoinedWrite[] = [];
  for (const write of writes) {
    const { version, lines, ...target } = write;
    const before = joined.findIndex(
      (other) => isSameText(other, write) && other.version === version - 1,
    );
    const earlier = joined[before];
    if (!earlier) joined.push({ ...write, since: version });
    else
      joined[before] = { ...target, ...sumOf(earlier, write), version, since: earlier.since ?? 0 };
  }
  return joined;
}

function isSameText(one: MemoryWriteWire, other: MemoryWriteWire): boolean {
  return blockIdOf(one) === blockIdOf(other) && one.key === other.key && one.space === other.space;
}

function sumOf(one: MemoryWriteWire, other: MemoryWriteWire): Pick<MemoryWriteWire, "lines"> {
  if (!one.lines || !other.lines) return {};
  const added = one.lines.added + other.lines.added;
  return { lines: { added, removed: one.lines.removed + other.lines.removed } };
}

export async function undoWrite(scope: MemoryScope, write: JoinedWrite): Promise<void> {
  const query = { session: scope };
  const blockId = blockIdOf(write);
  const { key, version: expectedVersion } = write;
  if (key === undefined) {
    const params = { blockId };
    const { versions } = await api("GET /api/blocks/:blockId/versions", { params, query });
    const content = contentBefore(versions, write) ?? "";
    await api("PUT /api/blocks/:blockId", { params, query, body: { content, expectedVersion } });
    return;
  }
  const params = { blockId, key };
  const { versions } = await api("GET /api/blocks/:blockId/entries/:key/versions", {
    params,
    query,
  });
  const content = contentBefore(versions, write);
  if (content === null) {
    const seen = { ...query, expectedVersion };
    await api("DELETE /api/blocks/:blockId/entries/:key", { params, query: seen });
    return;
  }
  const body = { title: await titleOf(scope, write), content, expectedVersion };
  await api("PUT /api/blocks/:blockId/entries/:key", { params, query, body });
}

export function contentBefore(
  versions: readonly Pick<VersionWire, "version" | "content">[],
  { version, since = version }: Pick<JoinedWrite, "version" | "since">,
): string | null {
  const [newest] = versions;
  if (newest && newest.version !== version) {
    throw new ApiError("This has changed since. Open its history in Memory to choose a version.", {
      code: "block-conflict",
      status: 409,
    });
  }
  return versions.find((other) => other.version < since)?.content ?? null;
}

async function titleOf(scope: MemoryScope, write: MemoryWriteWire): Promise<string> {
  const { entries } = await api("GET /api/blocks/:blockId/entries", {
    params: { blockId: blockIdOf(write) },
    query: { session: scope },
  });
  const { key, label } = write;
  return entries.find((entry) => entry.key === key)?.title ?? key ?? label;
}

/** Older messages name their blocks by what is now the id. */
export function blockIdOf({ blockId, label }: Pick<MemoryWriteWire, "blockId" | "label">): string {
  return blockId ?? label;
}
