import type { PostgresSessionStore } from "grove-session/postgres";
import { type PairPlace, type PairWrite, pairLine } from "./pair-writes";

interface Sent {
  readonly places: readonly PairPlace[];
  readonly sent: readonly PairWrite[];
  /** Acknowledged requests among `sent`. */
  readonly done: readonly PairWrite[];
}

/** Says what was acknowledged and is not so, and what is missing although nobody removed it. */
export async function untrueAfter(store: PostgresSessionStore, all: Sent): Promise<string[]> {
  const problems = all.places.map(({ chat }) => ofChat(store, chat, all));
  const forks = all.done.map((write) => (write.forks ? ofFork(store, write, all) : []));
  return (await Promise.all([...problems, ...forks])).flat();
}

async function ofChat(
  store: PostgresSessionStore,
  chat: string,
  { sent, done }: Sent,
): Promise<string[]> {
  const here = (writes: readonly PairWrite[]) => writes.filter(({ ids }) => ids.sessionId === chat);
  const mayGo = here(sent).some(({ removes }) => removes === "everything");
  const mayReturn = here(sent).some(({ restores }) => restores === "everything");
  const isThere = (await store.sessions.get(chat)) !== null;
  if (!isThere) return mayGo ? [] : [`${chat} is gone.`];
  const isGone = here(done).some(({ removes }) => removes === "everything");
  if (isGone && !mayReturn) return [`${chat} is there, and was deleted.`];
  const removed = idsOf(here(sent), "removes");
  const restored = idsOf(here(done), "restores");
  const added = here(done).flatMap(({ adds, below }) =>
    adds === undefined || (below !== undefined && removed.includes(below)) ? [] : [adds],
  );
  const found = new Set((await store.messages(chat).getTree()).map(({ id }) => id));
  const kept = [...pairLine, ...restored].filter((id) => !removed.includes(id));
  const lost = [...kept, ...added].filter((id) => !found.has(id));
  const left = idsOf(here(done), "removes").filter((id) => found.has(id));
  return [
    ...lost.map((id) => `${chat} lacks ${id}.`),
    ...left.map((id) => `${chat} shows ${id}, which was deleted.`),
  ];
}

/** A deletion in the source may come before the fork. */
async function ofFork(
  store: PostgresSessionStore,
  { forks = "", ids: { sessionId: source } }: PairWrite,
  { sent }: Sent,
): Promise<string[]> {
  if (!(await store.sessions.get(forks))) return [`${forks} is gone.`];
  const inSource = sent.filter(({ ids }) => ids.sessionId === source);
  const removed = idsOf(inSource, "removes");
  const found = new Set((await store.messages(forks).getTree()).map(({ id }) => id));
  return pairLine
    .slice(0, 5)
    .filter((id) => !found.has(id) && !removed.includes(id))
    .map((id) => `${forks} lacks ${id}.`);
}

function idsOf(writes: readonly PairWrite[], which: "removes" | "restores"): string[] {
  return writes.flatMap((write) => {
    const ids = write[which];
    return ids === undefined || ids === "everything" ? [] : ids;
  });
}
