import { isVersionedProvider } from "../context-provider";
import type { SessionStore } from "../session-store";

/** Everything a session shows: its fields, its tree, every path, and the text of the named blocks with all versions. */
export async function shownBy(
  store: SessionStore,
  sessionId: string,
  labels: readonly string[] = [],
): Promise<unknown> {
  const messages = store.messages(sessionId);
  const tree = await messages.getTree();
  const paths = [];
  for (const { id } of await messages.getLeaves()) {
    const { entries } = await messages.getWindow({ leafId: id, overlays: false, limit: 1_000 });
    paths.push({
      stored: entries.map(({ position: _, ...entry }) => entry),
      visible: await messages.getHistory(id),
      skills: await messages.getLoadedSkills(id),
    });
  }
  const blocks = [];
  for (const label of labels) {
    const block = store.block({ label, sessionId });
    blocks.push([await block.get(), isVersionedProvider(block) && (await block.versions())]);
  }
  return {
    info: await store.sessions.get(sessionId),
    active: await messages.getLatestLeaf(),
    roots: await messages.getRoots(),
    prompt: await store.promptCache(sessionId).get(),
    tree,
    paths,
    blocks,
  };
}
