import { describe, expect, test } from "vitest";
import {
  CompactionNotFoundError,
  DeletionNotFoundError,
  InvalidArgumentError,
  MessageNotFoundError,
  SessionNotFoundError,
} from "../../errors";
import { Session } from "../../session";
import { SessionManager } from "../../session-manager";
import { assistant, collect, user } from "../builders";
import type { MakeStore } from "./make-store";

interface Opened {
  readonly session: Session;
  readonly sessions: SessionManager;
}

const nul = "a\u0000";
/** As a caller without types gives it. */
const untyped = <Value>(value: unknown): Value => value as Value;

const absent: Record<string, readonly [(opened: Opened) => Promise<unknown>, unknown]> = {
  "getMessage of U+0000": [({ session }) => session.getMessage(nul), null],
  "getHistory of U+0000": [({ session }) => session.getHistory(nul), []],
  "getBranches of U+0000": [({ session }) => session.getBranches(nul), []],
  "getPathLength of U+0000": [({ session }) => session.getPathLength(nul), 0],
  "getHistoryRowStats of U+0000": [({ session }) => session.tree.getHistoryRowStats(nul), []],
  "getLatestMessages of U+0000": [
    ({ session }) => session.getLatestMessages(5, { leafId: nul }),
    [],
  ],
  "iterateHistory of U+0000": [
    ({ session }) => collect(session.tree.iterateHistory({ leafId: nul })),
    [],
  ],
  "getLoadedSkills of U+0000": [({ session }) => session.memory.getLoadedSkills(nul), []],
  "get of U+0000": [({ sessions }) => sessions.get(nul), null],
  "delete of U+0000": [({ sessions }) => sessions.delete(nul), false],
};

const refused: Record<
  string,
  readonly [(opened: Opened) => Promise<unknown>, new (...args: never) => Error]
> = {
  "setActiveLeaf of U+0000": [
    ({ session }) => session.tree.setActiveLeaf(nul),
    MessageNotFoundError,
  ],
  "getSiblings of U+0000": [({ session }) => session.tree.getSiblings(nul), MessageNotFoundError],
  "getLeafUnder of U+0000": [({ session }) => session.tree.getLeafUnder(nul), MessageNotFoundError],
  "setPinned of U+0000": [({ session }) => session.tree.setPinned(nul, true), MessageNotFoundError],
  "setLabel of U+0000": [({ session }) => session.tree.setLabel(nul, "x"), MessageNotFoundError],
  "appendMessage under U+0000": [
    ({ session }) => session.appendMessage(user("n"), nul),
    MessageNotFoundError,
  ],
  "appendMessage with U+0000": [
    ({ session }) => session.appendMessage(user(nul)),
    InvalidArgumentError,
  ],
  "addCompaction from U+0000": [
    ({ session }) => session.addCompaction("s", nul, "a1"),
    MessageNotFoundError,
  ],
  "removeCompaction of U+0000": [
    ({ session }) => session.tree.removeCompaction(nul),
    CompactionNotFoundError,
  ],
  "restoreMessages of U+0000": [
    ({ session }) => session.restoreMessages(nul),
    DeletionNotFoundError,
  ],
  "rename of U+0000": [({ sessions }) => sessions.rename(nul, "x"), SessionNotFoundError],
  "fork of U+0000": [({ sessions }) => sessions.fork("s", nul, "x"), MessageNotFoundError],
  "restore of U+0000": [({ sessions }) => sessions.restore(nul), SessionNotFoundError],
  "forks of U+0000": [({ sessions }) => sessions.forks(nul), SessionNotFoundError],
  "append to U+0000": [({ sessions }) => sessions.append(nul, user("n")), SessionNotFoundError],
  "setActiveLeaf of null": [
    ({ session }) => session.tree.setActiveLeaf(untyped(null)),
    InvalidArgumentError,
  ],
  "getHistory of a number": [({ session }) => session.getHistory(untyped(7)), InvalidArgumentError],
  "deleteMessages of a text": [
    ({ session }) => session.deleteMessages(untyped("q1")),
    InvalidArgumentError,
  ],
  "search with a limit of NaN": [
    ({ session }) => session.search("q", { limit: Number.NaN }),
    InvalidArgumentError,
  ],
  "search with a limit of 1.5": [
    ({ session }) => session.search("q", { limit: 1.5 }),
    InvalidArgumentError,
  ],
  "search everywhere with a limit of 1.5": [
    ({ sessions }) => sessions.search("q", { limit: 1.5 }),
    InvalidArgumentError,
  ],
  "searchSessions with a limit of NaN": [
    ({ sessions }) => sessions.searchSessions("q", { limit: Number.NaN }),
    InvalidArgumentError,
  ],
  "list with a limit of 1.5": [
    ({ sessions }) => sessions.listPage({ limit: 1.5 }),
    InvalidArgumentError,
  ],
  "getWindow with a limit of NaN": [
    ({ session }) => session.tree.getWindow({ limit: Number.NaN }),
    InvalidArgumentError,
  ],
  "getLatestMessages of 1.5": [
    ({ session }) => session.getLatestMessages(1.5),
    InvalidArgumentError,
  ],
  "keepLatestMessages of NaN": [
    ({ session }) => session.keepLatestMessages(Number.NaN),
    InvalidArgumentError,
  ],
  "getRecentHistory of NaN": [
    ({ session }) => session.getRecentHistory(Number.NaN),
    InvalidArgumentError,
  ],
  "iterateHistory in batches of 1.5": [
    ({ session }) => collect(session.tree.iterateHistory({ batchSize: 1.5 })),
    InvalidArgumentError,
  ],
  "stepBack of 1.5": [({ session }) => session.tree.stepBack(1.5), InvalidArgumentError],
  "addUsage of NaN": [
    ({ sessions }) => sessions.addUsage("s", Number.NaN, 1),
    InvalidArgumentError,
  ],
  "addUsage of less than none": [
    ({ sessions }) => sessions.addUsage("s", 1, -1),
    InvalidArgumentError,
  ],
  "addUsage of an infinite cost": [
    ({ sessions }) => sessions.addUsage("s", 1, 1, Number.POSITIVE_INFINITY),
    InvalidArgumentError,
  ],
};

export function argumentGuarantees(make: MakeStore): void {
  async function open(): Promise<Opened> {
    const sessions = SessionManager.create(await make());
    await sessions.create("S", { id: "s" });
    const session = sessions.getSession("s");
    await session.appendMessages([user("q1"), assistant("a1")]);
    return { session, sessions };
  }

  describe("impossible arguments", () => {
    test.each(Object.entries(absent))("%s is nothing", async (_, [call, nothing]) => {
      expect(await call(await open())).toEqual(nothing);
    });

    test.each(Object.entries(refused))("%s is refused", async (_, [call, kind]) => {
      const opened = await open();
      await expect(call(opened)).rejects.toThrow(kind);
      expect(await opened.sessions.get("s")).toMatchObject({
        name: "S",
        messageCount: 2,
        inputTokens: 0,
        outputTokens: 0,
      });
    });

    test("a summary before the first message is refused, in a session that is stored and in one that is not", async () => {
      const store = await make();
      const sessions = SessionManager.create(store);
      await sessions.create("Empty", { id: "empty" });
      const stored = sessions.getSession("empty").addCompaction("s", "q1", "a1");
      await expect(stored).rejects.toThrow(MessageNotFoundError);
      const fresh = Session.create(store).forSession("fresh").addCompaction("s", "q1", "a1");
      await expect(fresh).rejects.toThrow(MessageNotFoundError);
    });
  });
}
