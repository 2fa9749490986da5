import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ExportDamagedError } from "../errors";
import { InMemorySessionStore } from "../in-memory/in-memory-session-store";
import { appendChain, assistant, user } from "../testing/builders";
import { parseSessionText, sessionText } from "./session-text";

async function teaText(): Promise<string> {
  const store = new InMemorySessionStore();
  await store.sessions.create("Tea", { id: "tea" });
  const messages = store.messages("tea");
  await appendChain(messages, [user("q1"), assistant("a1"), user("q2", "Line\n🌳")]);
  await messages.appendMessage(user("b1"), "a1");
  await messages.addCompaction("The beginning", "q1", "a1");
  await messages.recordSkillEvent({ label: "skills", key: "brew" }, "load");
  await store.block({ label: "todos", sessionId: "tea" }).set("- drink");
  return sessionText(await store.sessions.export("tea"));
}

const text = await teaText();
const lines = text.split("\n");

/** The text with a line changed, or without it. */
function changed(type: string, change: ((line: string) => string) | null): string {
  const at = lines.findIndex((line) => line.includes(`"type":"${type}"`));
  const line = change?.(lines[at] ?? "");
  return [
    ...lines.slice(0, at),
    ...(line === undefined ? [] : [line]),
    ...lines.slice(at + 1),
  ].join("\n");
}

describe("the text of a session", () => {
  test("reads back as the same data", () => {
    const exported = parseSessionText(text);
    expect(parseSessionText(sessionText(exported))).toEqual(exported);
    expect(exported.messages.map(({ id }) => id)).toEqual(["q1", "a1", "q2", "b1"]);
  });

  test("is refused wherever it is cut off", () => {
    const cuts = fc.nat(text.length - 2);
    fc.assert(
      fc.property(cuts, (length) => {
        expect(() => parseSessionText(text.slice(0, length))).toThrow(ExportDamagedError);
      }),
      { numRuns: 300 },
    );
  });

  test("is read or refused by name, whatever bytes are changed in it", () => {
    const changes = fc.record({ at: fc.nat(text.length - 1), by: fc.string({ minLength: 1 }) });
    fc.assert(
      fc.property(changes, ({ at, by }) => {
        try {
          parseSessionText(text.slice(0, at) + by + text.slice(at + by.length));
        } catch (error) {
          expect(error).toBeInstanceOf(ExportDamagedError);
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["an empty text", "", "it has no header"],
    ["another file", "hello", "it is no JSON"],
    ["a web page", "<html>", "it is no JSON"],
    [
      "a newer format",
      changed("grove-export", (line) => line.replace('"format":1', '"format":2')),
      "a newer version wrote it",
    ],
    ["no session", changed("session", null), "it has no session"],
    ["a message less", changed("message", null), "messages are missing"],
    [
      "a last message less",
      lines.filter((line) => !line.includes('"id":"b1"')).join("\n"),
      "messages are missing",
    ],
    [
      "a message twice",
      text.replaceAll('"id":"b1"', '"id":"q1"'),
      "the message id “q1” occurs twice",
    ],
    [
      "an unknown parent",
      text.replaceAll('"parentId":"q1"', '"parentId":"x"'),
      "no earlier message has the id “x”",
    ],
    [
      "a summary without its end",
      changed("compaction", (line) => line.replace('"toMessageId":"a1"', '"toMessageId":"x"')),
      "does not begin on the path to its end",
    ],
    [
      "a reversed summary",
      changed("compaction", (line) => line.replace('"q1"', '"b1"')),
      "does not begin on the path to its end",
    ],
    [
      "memory of another session",
      changed("document", (line) => line.replace('"scope":"tea"', '"scope":"x"')),
      "memory of another session, “x”, is in it",
    ],
    ["a version less", changed("version", null), "versions of “todos” are missing"],
    [
      "an unknown active leaf",
      changed("session", (line) => line.replace(/"activeLeafId":"\w+"/, '"activeLeafId":"x"')),
      "no message has the id “x”",
    ],
    [
      "the id of a summary as a message",
      text.replaceAll('"b1"', '"compaction_1"'),
      "cannot be the id of a message",
    ],
    [
      "an unknown role",
      changed("message", (line) => line.replace('"user"', '"root"')),
      "line 3, role",
    ],
    [
      "a part without type",
      changed("message", (line) => line.replace('"type":"text"', '"kind":"text"')),
      "line 3, content.parts.0",
    ],
    ["two sessions", changed("session", (line) => `${line}\n${line}`), "“session” is out of place"],
  ])("is refused with the reason: %s", (_, damaged, reason) => {
    expect(() => parseSessionText(damaged)).toThrow(ExportDamagedError);
    expect(() => parseSessionText(damaged)).toThrow(reason);
  });
});
