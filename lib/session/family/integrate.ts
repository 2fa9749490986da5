import { InvalidArgumentError } from "@/lib/session/errors";
import type { Session } from "@/lib/session/session";
import type { MaybePromise } from "@/lib/session/session-provider";
import type { SessionInfo } from "@/lib/session/session-store";

/** A child session's memory. */
export interface ChildMemory {
  readonly sessionId: string;
  readonly name: string;
  readonly memory: string;
}

/** The combined memory of child sessions: one text for the parent, and insights for single children. */
export interface Integration {
  readonly synthesis: string;
  /** Insights by child. */
  readonly insights: readonly { readonly sessionId: string; readonly content: string }[];
}

/** Combines the children's memories; `synthesis` is the last result, `null` the first time. */
export type Integrate = (
  children: readonly ChildMemory[],
  synthesis: string | null,
) => MaybePromise<Integration>;

/** Labels of the blocks involved; each is a writable block of the session. */
export interface IntegrationBlocks {
  readonly memory: string;
  readonly synthesis: string;
  readonly insight: string;
}

interface Family {
  readonly parent: Session;
  readonly children: readonly SessionInfo[];
  open(sessionId: string): Session;
}

/**
 * Combines the memories of children in their parent and returns insights to them. Children without a memory are
 * skipped; all are read before anything is written, and their concurrent writes are kept.
 *
 * @throws {InvalidArgumentError} for an insight to a session that is not a child; nothing is written then.
 * @throws {BlockConflictError} when the synthesis changed meanwhile; no insight is written then.
 */
export async function integrate(
  { parent, children, open }: Family,
  { blocks, combine }: { readonly blocks: IntegrationBlocks; readonly combine: Integrate },
): Promise<Integration> {
  const before = await parent.getContextBlock(blocks.synthesis);
  const memories: ChildMemory[] = [];
  for (const { id, name } of children) {
    const memory = (await open(id).getContextBlock(blocks.memory))?.content ?? "";
    if (memory !== "") memories.push({ sessionId: id, name, memory });
  }
  const result = await combine(memories, before?.content || null);
  const unknown = result.insights.find(
    ({ sessionId }) => !children.some(({ id }) => id === sessionId),
  );
  if (unknown)
    throw new InvalidArgumentError(`"${unknown.sessionId}" is no child of "${parent.id}".`);
  const provenance = { author: "model", sessionId: parent.id } as const;
  await parent.replaceContextBlock(blocks.synthesis, result.synthesis, {
    provenance,
    expectedVersion: before?.version,
  });
  await parent.refreshSystemPrompt();
  for (const { sessionId, content } of result.insights) {
    const child = open(sessionId);
    await child.replaceContextBlock(blocks.insight, content, { provenance });
    await child.refreshSystemPrompt();
  }
  return result;
}
