import type { TextWrite } from "@/lib/session/block-store";
import type { ContextDefinition } from "@/lib/session/context/context-block";
import { assertFits, assertMayWrite } from "@/lib/session/context/context-blocks";
import { BlockNotFoundError, NotSupportedError } from "@/lib/session/errors";

/** A new text for a block of a session, one of several written together. */
export interface SessionBlockWrite extends Omit<TextWrite, "block"> {
  readonly sessionId: string;
  readonly label: string;
}

/**
 * Finds the blocks of writes in the sessions' configuration.
 *
 * @throws {BlockNotFoundError} @throws {BlockTooLargeError} @throws {BlockWriterError}
 * @throws {NotSupportedError} for a block with a provider of its own, which the store cannot write with others.
 */
export function textWrites(
  context: readonly ContextDefinition[],
  writes: readonly SessionBlockWrite[],
): TextWrite[] {
  return writes.map(({ sessionId, label, ...write }) => {
    const block = context.find((each) => each.label === label);
    if (!block) throw new BlockNotFoundError(label);
    if (block.provider)
      throw new NotSupportedError(`writing block "${label}" together with others`);
    assertMayWrite(block, write.provenance?.author);
    assertFits(block, write.content);
    return { ...write, block: { label, sessionId: block.scope === "owner" ? null : sessionId } };
  });
}
