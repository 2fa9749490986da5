import { InvalidArgumentError } from "@/lib/session/errors";
import type { Session } from "@/lib/session/session";
import type { MaybePromise } from "@/lib/session/session-provider";
import type { SessionInfo } from "@/lib/session/session-store";

/** What a child session has made of its conversation. */
export interface ChildMemory {
  readonly sessionId: string;
  readonly name: string;
  readonly memory: string;
}

/** What the work of child sessions comes to: one text for the parent, and one for each child that should know. */
export interface Integration {
  /** What all children come to, for the parent. */
  readonly synthesis: string;
  /** What single children should know of it. */
  readonly insights: readonly { readonly sessionId: string; readonly content: string }[];
}

/** Makes one picture of what the children know; `synthesis` is the last one, `null` the first time. */
export type Integrate = (
  children: readonly ChildMemory[],
  synthesis: string | null,
) => MaybePromise<Integration>;

/** The labels of the blocks involved; each is a writable block of the session's own. */
export interface IntegrationBlocks {
  /** What children keep of their conversations. */
  readonly memory: string;
  /** Where the parent keeps what they come to. */
  readonly synthesis: string;
  /** Where children are told of it. */
  readonly insight: string;
}

export interface Family {
  readonly parent: Session;
  readonly children: readonly SessionInfo[];
  open(sessionId: string): Session;
}

/**
 * Brings the memories of children together in their parent and hands insights back. Children without a memory are left
 * out; all are read before anything is written, and what they wrote meanwhile is not lost.
 *
 * @throws {InvalidArgumentError} for an insight to a session that is no child; nothing is written then.
 * @throws {BlockConflictError} when the synthesis was changed meanwhile; no insight is written then.
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
  const stranger = result.insights.find(
    ({ sessionId }) => !children.some(({ id }) => id === sessionId),
  );
  if (stranger)
    throw new InvalidArgumentError(`"${stranger.sessionId}" is no child of "${parent.id}".`);
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
