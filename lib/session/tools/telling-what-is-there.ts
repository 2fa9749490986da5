import type { ContextBlocks } from "@/lib/session/context/context-blocks";
import { InvalidArgumentError, isBlockConflict } from "@/lib/session/errors";

/** A write based on an old version is refused with what the block says now, which the model has then seen. */
export async function tellingWhatIsThere<Result>(
  blocks: ContextBlocks,
  seenVersions: Map<string, number> | undefined,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isBlockConflict(error)) throw error;
    const { label, currentVersion } = error;
    seenVersions?.set(label, currentVersion);
    const now = (await blocks.get(label))?.content;
    throw new InvalidArgumentError(
      `Block "${label}" was changed meanwhile, so nothing was written. It now says:\n${now}`,
      { cause: error },
    );
  }
}
