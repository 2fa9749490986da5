import { InvalidArgumentError } from "../errors";
import type { Session } from "../session";
import type { MaybePromise } from "../session-provider";
import type { SessionInfo } from "../session-store";
import type { SessionBlockWrite } from "./write-blocks";

export interface ChildMemory {
  readonly sessionId: string;
  readonly name: string;
  readonly memory: string;
}

/** At most one insight per session. */
export interface Integration {
  readonly synthesis: string;
  readonly insights: readonly { readonly sessionId: string; readonly content: string }[];
}

/** `synthesis` is the last result, `null` the first time. */
export type Integrate = (
  children: readonly ChildMemory[],
  synthesis: string | null,
) => MaybePromise<Integration>;

export interface IntegrationBlocks {
  readonly memory: string;
  readonly synthesis: string;
  readonly insight: string;
}

export interface IntegrationOptions {
  /** Children, their descendants as well, or sessions with a tag. Default `"children"`. */
  readonly over?: "children" | "descendants" | { readonly tag: string } | undefined;
}

interface Family {
  readonly parent: Session;
  readonly children: readonly SessionInfo[];
  open(sessionId: string): Session;
  write(writes: readonly SessionBlockWrite[]): Promise<void>;
}

/**
 * Combines the memories of sessions in their parent and returns insights to them, all or none. Sessions without a
 * memory are skipped.
 *
 * @throws {InvalidArgumentError} for an insight to another session.
 * @throws {BlockConflictError} when the synthesis or an unused insight changed meanwhile.
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
      // An insight used meanwhile is empty again; one that somebody wrote meanwhile is a conflict.
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
