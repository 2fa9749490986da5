import { api } from "@/app/_api/api";
import { ApiError } from "@/app/_api/api-error";
import type { MemoryScope } from "@/app/_api/query-keys";
import type { VersionWire } from "@/lib/chat/wire/memory";
import type { MemoryWriteWire } from "@/lib/chat/wire/messages";

export async function undoWrite(scope: MemoryScope, write: MemoryWriteWire): Promise<void> {
  const query = { session: scope };
  const blockId = blockIdOf(write);
  const { key, version: expectedVersion } = write;
  if (key === undefined) {
    const params = { blockId };
    const { versions } = await api("GET /api/blocks/:blockId/versions", { params, query });
    const content = contentBefore(versions, expectedVersion) ?? "";
    await api("PUT /api/blocks/:blockId", { params, query, body: { content, expectedVersion } });
    return;
  }
  const params = { blockId, key };
  const { versions } = await api("GET /api/blocks/:blockId/entries/:key/versions", {
    params,
    query,
  });
  const content = contentBefore(versions, expectedVersion);
  if (content === null) {
    const seen = { ...query, expectedVersion };
    await api("DELETE /api/blocks/:blockId/entries/:key", { params, query: seen });
    return;
  }
  const body = { title: await titleOf(scope, write), content, expectedVersion };
  await api("PUT /api/blocks/:blockId/entries/:key", { params, query, body });
}

function contentBefore(versions: readonly VersionWire[], version: number): string | null {
  const [newest] = versions;
  if (newest && newest.version !== version) {
    throw new ApiError("This has changed since. Open its history in Memory to choose a version.", {
      code: "block-conflict",
      status: 409,
    });
  }
  return versions.find((other) => other.version < version)?.content ?? null;
}

async function titleOf(scope: MemoryScope, write: MemoryWriteWire): Promise<string> {
  const { entries } = await api("GET /api/blocks/:blockId/entries", {
    params: { blockId: blockIdOf(write) },
    query: { session: scope },
  });
  const { key, label } = write;
  return entries.find((entry) => entry.key === key)?.title ?? key ?? label;
}

/** Messages of an earlier version name their blocks by what is now the id. */
export function blockIdOf({ blockId, label }: Pick<MemoryWriteWire, "blockId" | "label">): string {
  return blockId ?? label;
}
