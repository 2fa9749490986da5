import { SessionManager } from "grove-session";
import { ids, user } from "grove-session/testing";
import { expect, test } from "vitest";
import { onEveryStore } from "./every-store";
import { exportPi, importPi } from "./pi";

const header = { type: "session", version: 3, id: "s1", cwd: "/project" };
const text = (words: string) => [{ type: "text", text: words }];

/** Entries under one another, where they name no other parent. */
function file(...given: readonly object[]): string {
  const entries = given.map((entry, n) => ({
    ...{ id: `e${n}`, parentId: n === 0 ? null : `e${n - 1}` },
    ...{ timestamp: `2026-11-29T10:00:0${n}.000Z`, ...entry },
  }));
  return `${[header, ...entries].map((line) => JSON.stringify(line)).join("\n")}\n`;
}

const message = (role: string, content: unknown, more: object = {}) => {
  return { type: "message", message: { role, content, ...more } };
};
const call = { type: "toolCall", id: "call_1", name: "bash", arguments: { command: "ls" } };
const saved = file(
  message("user", "List the files"),
  message("assistant", [{ type: "thinking", thinking: "I use ls" }, call]),
  message("toolResult", text("a.ts"), { toolName: "bash", toolCallId: "call_1" }),
  { type: "custom", customType: "counter", data: { count: 42 } },
  message("assistant", text("One file.")),
  { type: "session_info", name: "Files" },
  { type: "branch_summary", parentId: "e4", fromId: "e5", summary: "Nothing was done." },
  message("user", "Write b.ts"),
  { type: "label", targetId: "e7", label: "writing" },
);

onEveryStore((openStore) => {
  test("a session of pi", async () => {
    const sessions = SessionManager.create(openStore());
    const session = await importPi(sessions, saved);
    const history = await session.getHistory();
    const given = await session.getModelHistory();
    await session.appendMessage(user("q1", "Thanks"));
    const exported = await exportPi(session, header);

    expect((await sessions.get("s1"))?.name).toBe("Files");
    expect(ids(history)).toEqual(["e0", "e1", "e2", "e3", "e4", "e6", "e7", "e8"]);
    expect(history[3]).toMatchObject({ metadata: { pi: { data: { count: 42 } } } });
    expect(given.map(({ id, parts }) => [id, parts.length])).toEqual([
      ["e0", 1],
      ["e1", 4],
      ["e6", 1],
      ["e7", 1],
    ]);
    expect(given[1]?.parts[1]).toMatchObject({ input: call.arguments, output: "a.ts" });
    expect((await session.tree.getNodes()).filter(({ label }) => label)).toMatchObject([
      { id: "e7", label: "writing" },
    ]);
    const lines = exported.trimEnd().split("\n");
    expect(lines.slice(0, -1).sort()).toEqual(saved.trimEnd().split("\n").sort());
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
      ...{ id: "q1", parentId: "e8", type: "message" },
      message: { role: "user", content: text("Thanks") },
    });
  });

  test("a session of pi leaves with what was edited here", async () => {
    const session = await importPi(SessionManager.create(openStore()), saved);
    const answer = await session.getMessage("e4");
    if (answer) await session.updateMessage({ ...answer, parts: text("Two files.") });
    const exported = await exportPi(session, header);
    expect(exported).toBe(saved.replace("One file.", "Two files."));
  });

  test.each([
    ["e2", ["e2", "e3"], "e1"],
    [undefined, ["e3"], "e2"],
  ])("a summary of pi that keeps from %s on", async (firstKeptEntryId, rest, last) => {
    const said = ["One", "Two", "Three"].map((words) => message("user", words));
    const summary = { type: "compaction", summary: "Counted.", firstKeptEntryId };
    const sessions = SessionManager.create(openStore());
    const session = await importPi(sessions, file(...said, summary));
    expect(ids(await session.getHistory()).slice(1)).toEqual(rest);
    expect(await session.getCompactions()).toMatchObject([
      { summary: "Counted.", fromMessageId: "e0", toMessageId: last },
    ]);
  });
});
