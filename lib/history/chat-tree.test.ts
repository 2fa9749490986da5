import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chatTree } from "./chat-tree";
import type { ForeignNode } from "./foreign-chat";

function node(id: string, parentId: string | null, text = id): ForeignNode {
  const parts = text === "" ? [] : [{ type: "text", text }];
  return { id, parentId, role: "user", parts, createdAt: null };
}

const parentsOf = (nodes: readonly ForeignNode[], currentId: string | null = null) =>
  Object.fromEntries(
    chatTree({ nodes, currentId }).messages.map(({ id, parentId }) => [id, parentId]),
  );

describe("The tree of an imported chat", () => {
  test("has the same parents as the one given, whatever order its nodes came in", () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(), { minLength: 1, maxLength: 60 }),
        fc.infiniteStream(fc.nat()),
        (choices, order) => {
          const nodes = choices.map((choice, at) =>
            node(`n${at}`, at === 0 ? null : `n${choice % at}`),
          );
          const shuffled = nodes
            .map((each) => ({ each, key: order.next().value ?? 0 }))
            .sort((one, other) => one.key - other.key)
            .map(({ each }) => each);
          expect(parentsOf(shuffled)).toEqual(
            Object.fromEntries(nodes.map(({ id, parentId }) => [id, parentId])),
          );
          const { messages, leafIds } = chatTree({ nodes: shuffled, currentId: null });
          const before = new Set<string | null>([null]);
          for (const { id, parentId } of messages) {
            expect(before.has(parentId)).toBe(true);
            before.add(id);
          }
          const parents = new Set(nodes.map(({ parentId }) => parentId));
          expect(leafIds.toSorted()).toEqual(
            nodes.flatMap(({ id }) => (parents.has(id) ? [] : [id])).toSorted(),
          );
        },
      ),
    );
  });

  test("names a message without an id as no other one is named", () => {
    const first = node("unnamed-2", null);
    const twin = node("a", "unnamed-3", "again");
    const nodes = [first, node("", null, "x"), node("unnamed-3", null), node("a", null), twin];
    const other = [...nodes, node("unnamed-5", null)];
    for (const given of [nodes, other, other.toReversed()])
      expect(chatTree({ nodes: given, currentId: null }).messages).toHaveLength(given.length);
  });

  test("holds the words of every message once, whatever circles, gaps and repeated ids it was given", () => {
    const some = fc.constantFrom("a", "b", "c", "d", "e", "f", "g");
    fc.assert(
      fc.property(
        fc.array(fc.tuple(some, fc.option(some), fc.boolean()), { maxLength: 20 }),
        (given) => {
          const nodes = given.map(([id, parent, isEmpty]) => node(id, parent, isEmpty ? "" : id));
          const said = nodes.flatMap(({ parts }) => parts.map(({ text }) => text));
          const { messages } = chatTree({ nodes, currentId: "a" });
          expect(messages.flatMap(({ parts }) => parts.map(({ text }) => text)).toSorted()).toEqual(
            [...new Set(said)].toSorted(),
          );
        },
      ),
    );
  });

  test("says which messages came after a missing one, and that a circle was cut", () => {
    const nodes = [node("a", null), node("b", "gone"), node("c", "d"), node("d", "c")];
    expect(chatTree({ nodes, currentId: null }).losses).toEqual([
      "1 message came after a message that the file does not hold.",
      "1 circle of messages was cut.",
    ]);
    expect(parentsOf(nodes)).toEqual({ a: null, b: null, c: "d", d: null });
  });

  test("keeps a message that has the id of another one under a new id, and says so", () => {
    const { messages, losses } = chatTree({
      nodes: [node("a", null), node("a", "a", "b"), node("a", null), node("", "a", "c")],
      currentId: null,
    });
    expect(messages.map(({ id, parts }) => [id, parts[0]?.text])).toEqual([
      ["a", "a"],
      ["unnamed-2", "b"],
      ["unnamed-4", "c"],
    ]);
    expect(losses).toEqual(["1 message had the id of another one, and got a new one."]);
  });

  test("gives the children of an empty place to the message above it", () => {
    expect(
      parentsOf([node("a", null), node("x", "a", ""), node("y", "x", ""), node("b", "y")]),
    ).toEqual({ a: null, b: "a" });
  });

  test("opens at the newest leaf under the place that the other product names", () => {
    const nodes = [node("a", null), node("b", "a"), node("c", "b"), node("d", "a")];
    expect(chatTree({ nodes, currentId: "b" }).leafIds).toEqual(["d", "c"]);
  });

  test("is made of 100,000 messages in a row, and of 10,000 beside each other", {
    tags: "long",
  }, () => {
    const row = Array.from({ length: 100_000 }, (_, at) =>
      node(`n${at}`, at === 0 ? null : `n${at - 1}`),
    );
    expect(chatTree({ nodes: row, currentId: null }).leafIds).toEqual(["n99999"]);
    const beside = [
      node("top", null),
      ...Array.from({ length: 10_000 }, (_, at) => node(`n${at}`, "top")),
    ];
    expect(chatTree({ nodes: beside, currentId: null }).leafIds).toHaveLength(10_000);
  });
});
