import { InvalidArgumentError } from "@/lib/session/errors";
import type { Session } from "@/lib/session/session";
import type { MaybePromise } from "@/lib/session/session-provider";
import type { SessionInfo } from "@/lib/session/session-store";
import type { SessionBlockWrite } from "./write-blocks";

/** A session's memory. */
interface ChildMemory {
  readonly sessionId: string;
  readonly name: string;
  readonly memory: string;
}

/** The combined memory of sessions: one text for the parent, and insights for single sessions. */
export interface Integration {
  readonly synthesis: string;
  /** At most one per session. */
  readonly insights: readonly { readonly sessionId: string; readonly content: string }[];
}

/** Combines memories; `synthesis` is the last result, `null` the first time. */
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

export interface IntegrationOptions {
  /** The sessions whose memories are combined: children, their children as well, or those with a tag. */
  readonly over?: "children" | "descendants" | { readonly tag: string } | undefined;
}

interface Family {
  readonly parent: Session;
  readonly children: readonly SessionInfo[];
  open(sessionId: string): Session;
  /** All or none. */
  write(writes: readonly SessionBlockWrite[]): Promise<void>;
}

/**
 * Combines the memories of sessions in their parent and returns insights to them, all or none. Sessions without a
 * memory are skipped.
 *
 * @throws {InvalidArgumentError} for an insight to another session.
 * @throws {BlockConflictError} when the synthesis changed meanwhile, or an insight that was not used.
 */
export async function integrate(
  { parent, children, open, write }: Family,
  { blocks, combine }: { readonly blocks: IntegrationBlocks; readonly combine: Integrate },
): Promise<Integration> {
  const synthesis = await parent.getContextBlock(blocks.synthesis);
  const before = await Promise.all(
    children.map(async ({ id, name }) => ({
      sessionId: id,
      name,
      memory: (await open(id).getContextBlock(blocks.memory))?.content ?? "",
      insightVersion: (await open(id).getContextBlock(blocks.insight))?.version,
    })),
  );
  const memories = before.filter(({ memory }) => memory !== "");
  const result = await combine(
    memories.map(({ insightVersion: _, ...child }) => child),
    synthesis?.content || null,
  );
  const provenance = { author: "model", sessionId: parent.id } as const;
  const insights = await Promise.all(
    result.insights.map(async ({ sessionId, content }) => {
      const child = before.find((each) => each.sessionId === sessionId);
      if (!child)
        throw new InvalidArgumentError(`"${sessionId}" is not integrated by "${parent.id}".`);
      // One that was used meanwhile is empty again; one that somebody wrote meanwhile is a conflict.
      const now = await open(sessionId).getContextBlock(blocks.insight);
      const expectedVersion = now?.content === "" ? now.version : child.insightVersion;
      return { sessionId, label: blocks.insight, content, expectedVersion, provenance };
    }),
  );
  const expectedVersion = synthesis?.version;
  const combined = { sessionId: parent.id, label: blocks.synthesis, expectedVersion, provenance };
  await write([{ ...combined, content: result.synthesis }, ...insights]);
  for (const id of new Set([parent.id, ...insights.map(({ sessionId }) => sessionId)]))
    await open(id).refreshSystemPrompt();
  return result;
}
