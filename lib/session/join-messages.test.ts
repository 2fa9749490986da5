import { convertToModelMessages, type UIMessage } from "ai";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionMessage, SessionMessagePart } from "./message";
import { prepareForModel } from "./model-messages";
import { assistant, user } from "./testing";

const nothingLoaded = { loadedSkills: [], loadSkill: () => null };
const prepared = (history: readonly SessionMessage[]) => prepareForModel(history, nothingLoaded);

function call(toolCallId: string, input: unknown): SessionMessagePart {
  return { type: "tool-find", toolCallId, state: "input-available", input };
}

function result(toolCallId: string, output: unknown): SessionMessagePart {
  return { type: "tool-find", toolCallId, state: "output-available", output };
}

function says(id: string, ...parts: SessionMessagePart[]): SessionMessage {
  return { id, role: "assistant", parts };
}

describe("a history for a model", () => {
  test("joins neighbouring assistant messages, with a result in its call", async () => {
    const history = [
      user("q1"),
      says("a1", call("c1", { name: "tea" })),
      says("a2", result("c1", "green")),
      assistant("a3", "It is green."),
    ];
    expect(await prepared(history)).toEqual([
      user("q1"),
      says(
        "a1",
        { ...call("c1", { name: "tea" }), ...result("c1", "green") },
        { type: "step-start" },
        { type: "text", text: "It is green." },
      ),
    ]);
  });

  test("has a late result in its call, before the question that came between", async () => {
    const history = [says("a1", call("c1", {})), user("q2"), says("a2", result("c1", "late"))];
    expect(await prepared(history)).toEqual([
      says("a1", { ...call("c1", {}), ...result("c1", "late") }),
      user("q2"),
    ]);
  });

  test("keeps both of two calls that a model gave the same id", async () => {
    const first = { ...call("call_0", { name: "tea" }), ...result("call_0", "green") };
    const second = { ...first, input: { name: "coffee" }, output: "black" };
    const history = [says("a1", first), user("q2"), says("a2", second)];
    expect(await prepared(history)).toEqual([
      says("a1", first),
      user("q2"),
      says("a2", { ...second, toolCallId: "call_0-2" }),
    ]);
  });

  test("drops a call that is repeated after its result", async () => {
    const done = { ...call("c1", {}), ...result("c1", "green") };
    const history = [says("a1", done), user("q2"), says("a2", call("c1", {})), says("a3", done)];
    expect(await prepared(history)).toEqual([says("a1", done), user("q2")]);
  });

  test("keeps an approval that a later message gave in the last step", async () => {
    const asked = { ...call("c1", {}), state: "approval-requested", approval: { id: "p1" } };
    const allowed = {
      ...asked,
      state: "approval-responded",
      approval: { id: "p1", approved: true },
    };
    expect(await prepared([says("a1", asked), says("a2", allowed)])).toEqual([says("a1", allowed)]);
  });

  test("reads right for any history: roles alternate, each call is there once with its result", async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory(), async (history) => {
        const messages = await prepared(history);
        const roles = messages.map(({ role }) => role);
        expect(roles.some((role, at) => role === "assistant" && roles[at + 1] === role)).toBe(
          false,
        );
        expect(textsOf(messages)).toEqual(textsOf(history));
        const ids = idsOf(messages);
        expect(new Set(ids).size).toBe(ids.length);
        expect(outputsOf(messages)).toEqual(outputsOf(history));
        const converted = await convertToModelMessages(messages as UIMessage[]);
        const callIds = (type: string) =>
          converted.flatMap(({ content }) =>
            [...content].flatMap((part) =>
              typeof part === "object" && part.type === type && "toolCallId" in part
                ? [part.toolCallId]
                : [],
            ),
          );
        expect(callIds("tool-result")).toEqual(callIds("tool-call"));
      }),
      { numRuns: 500 },
    );
  });
});

/** Of a few call ids and inputs, so that they meet often. Each output occurs once. */
function anyHistory(): fc.Arbitrary<SessionMessage[]> {
  const id = fc.constantFrom("c1", "c2", "c3");
  const input = fc.constantFrom({ name: "tea" }, { name: "coffee" });
  const part = fc.oneof(
    fc.record({ kind: fc.constant("text" as const) }),
    fc.record({ kind: fc.constant("call" as const), id, input }),
    fc.record({ kind: fc.constant("done" as const), id, input }),
  );
  const message = fc.record({
    role: fc.constantFrom("user" as const, "assistant" as const),
    parts: fc.array(part, { maxLength: 4 }),
  });
  return fc.array(message, { maxLength: 8 }).map((messages) => {
    let n = 0;
    return messages.map(({ role, parts }, index) => ({
      id: `m${index}`,
      role,
      parts: parts.flatMap((each): SessionMessagePart[] => {
        n++;
        if (each.kind === "text") return [{ type: "text", text: `t${n}` }];
        if (role === "user") return [];
        const made = call(each.id, each.input);
        return [each.kind === "call" ? made : { ...made, ...result(each.id, `o${n}`) }];
      }),
    }));
  });
}

function valuesOf(messages: readonly SessionMessage[], name: string): unknown[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part[name] === undefined ? [] : [part[name]])),
  );
}

const textsOf = (messages: readonly SessionMessage[]) => valuesOf(messages, "text");
const idsOf = (messages: readonly SessionMessage[]) => valuesOf(messages, "toolCallId");
const outputsOf = (messages: readonly SessionMessage[]) => valuesOf(messages, "output").toSorted();
