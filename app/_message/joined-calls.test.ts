import { describe, expect, it } from "vitest";
import { entry } from "@/app/_data/testing/wire-builders";
import type { EntryWire, GroveMessage } from "@/lib/chat/wire/messages";
import { isFollower, joinedParts } from "./joined-calls";
import { callWords, foldWords } from "./tool-words";

type Part = GroveMessage["parts"][number];

const text = (said: string): Part => ({ type: "text", text: said });
const asked = (id: string): Part =>
  ({
    type: "dynamic-tool",
    toolName: "bash",
    toolCallId: id,
    state: "input-available",
    input: { command: `npm test ${id}` },
  }) as Part;
const done = (id: string, output = "ok"): Part =>
  ({ ...asked(id), state: "output-available", output }) as Part;

function answer(id: string, parts: Part[], change: Partial<EntryWire> = {}): EntryWire {
  return entry(id, "before", { message: { id, role: "assistant", parts }, ...change });
}

function outline(message: EntryWire, followers: EntryWire[] = []): string[] {
  const options = { at: message.createdAt, followers, isOpen: false };
  return joinedParts(message.message, options).map((each) => {
    if (each.kind === "fold") return foldWords(each.calls).count;
    const { part } = each;
    return part.kind === "tool" ? `${part.call.id} ${part.call.state}` : part.kind;
  });
}

describe("joinedParts", () => {
  it("leaves two calls of an answer as they are, and folds three", () => {
    expect(outline(answer("a", [done("1"), done("2")]))).toEqual(["1 done", "2 done"]);
    expect(outline(answer("a", [text("Hi"), done("1"), done("2"), done("3")]))).toEqual([
      "text",
      "3 calls",
    ]);
  });

  it("keeps the thoughts between calls inside the fold, and those around it outside", () => {
    const thought: Part = { type: "reasoning", text: "Hm.", state: "done" };
    const parts = [thought, done("1"), thought, done("2"), done("3"), thought, text("Bye")];
    expect(outline(answer("a", parts))).toEqual(["reasoning", "3 calls", "reasoning", "text"]);
  });

  it("makes one of a call and its result in the next message, with the time between", () => {
    const call = answer("a1", [text("Let me look."), asked("1")]);
    const result = answer("a2", [done("1")], { createdAt: "2026-03-01T12:00:12.000Z" });
    expect(outline(call, [result])).toEqual(["text", "1 done"]);
    const [, joined] = joinedParts(call.message, {
      at: call.createdAt,
      followers: [result],
      isOpen: false,
    });
    expect(joined).toMatchObject({ part: { call: { tookMs: 12_000, output: "ok" } } });
  });

  it("folds calls across answers, each counted once", () => {
    const first = answer("a1", [asked("1")]);
    const later = [answer("r1", [done("1")]), answer("a2", [asked("2"), asked("3")])];
    const results = answer("r2", [done("2"), done("3")]);
    expect(outline(first, [...later, results])).toEqual(["3 calls"]);
  });

  it("never hides a call that runs", () => {
    const message = { id: "a", role: "assistant", parts: [done("1"), done("2"), asked("3")] };
    const shown = joinedParts(message as GroveMessage, { isOpen: true });
    expect(shown.map(({ kind }) => kind)).toEqual(["part", "part", "part"]);
  });
});

describe("isFollower", () => {
  const before = answer("before", [asked("1")]);

  it("is an answer of calls alone", () => {
    expect(isFollower(answer("a", [done("1")]), before)).toBe(true);
    expect(isFollower(answer("a", [done("1"), text("Done.")]), before)).toBe(false);
    expect(isFollower(answer("a", []), before)).toBe(false);
  });

  it("has no marks, versions or troubles of its own", () => {
    const siblings = { index: 0, count: 2, previousId: null, nextId: "b" };
    const failed = { status: "failed" } as const;
    const own: Partial<EntryWire>[] = [{ pinned: true }, { siblings }];
    for (const change of own)
      expect(isFollower(answer("a", [done("1")], change), before)).toBe(false);
    const entry = answer("a", [done("1")]);
    const broken = { ...entry, message: { ...entry.message, metadata: failed } };
    expect(isFollower(broken, before)).toBe(false);
  });
});

describe("callWords", () => {
  const call = { id: "1", name: "bash", state: "done", errorText: null } as const;
  const words = (input: unknown, output: unknown) => callWords({ ...call, input, output });

  it("says the first argument on one line", () => {
    expect(words({ command: "npm\n  test", cwd: "/" }, "ok").argument).toBe("npm test");
    expect(words({ command: ["bash", "-lc", "ls"] }, "ok").argument).toBe("bash -lc ls");
    expect(words("ls", "ok").argument).toBe("ls");
    expect(words({}, "ok").argument).toBe("");
  });

  it("says a result of one line, and the size of a longer one", () => {
    expect(words({}, "42 passed\n").outcome).toBe("42 passed");
    expect(words({}, "one\ntwo\nthree").outcome).toBe("3 lines");
    expect(words({}, "x".repeat(2_000)).outcome).toBe("2,000 characters");
    expect(words({}, "").outcome).toBe("no output");
  });

  it("says why a call failed", () => {
    const failed = { ...call, state: "failed", errorText: "No such file", input: {} } as const;
    expect(callWords({ ...failed, output: undefined }).outcome).toBe("No such file");
  });
});
