import type { TextWrite } from "../block-store";
import type { ContextDefinition } from "../context/context-block";
import { assertFits, assertMayWrite } from "../context/context-blocks";
import { BlockNotFoundError, NotSupportedError } from "../errors";

export interface SessionBlockWrite extends Omit<TextWrite, "block"> {
  readonly sessionId: string;
  readonly label: string;
}

/**
 * @throws {BlockNotFoundError} @throws {BlockTooLargeError} @throws {BlockWriterError} @throws {NotSupportedError} for
 * a block with its own provider.
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
