import { z } from "zod";

interface Moment {
  readonly startedAt: number;
  readonly endedAt: number;
}

interface Sent extends Moment {
  readonly id: string;
  readonly parentId: string | null;
  readonly text: string;
}

export interface SharedSession {
  readonly id: string;
  readonly sent: Sent[];
  /** By message; also those not acknowledged. */
  readonly deletedAt: Map<string, Moment[]>;
  readonly deletions: string[];
  readonly runs: string[];
}

export const treeSchema = z.object({
  nodes: z.array(z.object({ id: z.string(), parentId: z.string().nullable() })),
  activeLeafId: z.string().nullable(),
});
export type Tree = z.output<typeof treeSchema>;

interface Check {
  readonly tree: Tree;
  readonly broken: string[];
}

export function checkTree(session: SharedSession, { tree, broken }: Check): void {
  checkShape(session.id, { tree, broken });
  const parents = new Map(tree.nodes.map((node) => [node.id, node.parentId]));
  for (const message of session.sent) {
    if (session.deletedAt.has(message.id)) continue;
    if (!parents.has(message.id)) broken.push(`Message ${message.id} is not in its tree.`);
    else if (!isInPlace(message, { parents, session }))
      broken.push(`Message ${message.id} hangs under another one than acknowledged.`);
  }
}

/** A reply names the parent after storing the message, so not one deleted in between, and perhaps restored since. */
function isInPlace(
  message: Sent,
  {
    parents,
    session: { deletedAt },
  }: { parents: ReadonlyMap<string, string | null>; session: SharedSession },
): boolean {
  if (message.parentId !== null && deletedAt.has(message.parentId)) return true;
  let parent = parents.get(message.id) ?? null;
  while (parent !== null && parent !== message.parentId) {
    const moments = deletedAt.get(parent) ?? [];
    if (!moments.some((moment) => overlap(moment, message))) return false;
    parent = parents.get(parent) ?? null;
  }
  return parent === message.parentId;
}

function overlap(one: Moment, other: Moment): boolean {
  return one.startedAt < other.endedAt && other.startedAt < one.endedAt;
}

export function checkShape(sessionId: string, { tree, broken }: Check): void {
  const { nodes, activeLeafId } = tree;
  const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId]));
  if (parents.size !== nodes.length) broken.push(`${sessionId} lists a message twice.`);
  if (activeLeafId !== null && !parents.has(activeLeafId))
    broken.push(`${sessionId} shows a message that is not there.`);
  for (const { id } of nodes) {
    let steps = 0;
    let at: string | null | undefined = id;
    while (at !== null && at !== undefined && steps <= nodes.length) {
      at = parents.get(at);
      steps++;
    }
    if (at !== null) broken.push(`${sessionId}: the path of ${id} leads to no root.`);
  }
}
