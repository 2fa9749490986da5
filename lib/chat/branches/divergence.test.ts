import { describe, expect, test } from "vitest";
import { MessageNotFoundError } from "@/lib/session";
import { divergence } from "./divergence";

/** `q1 → a1 → q2 → a2`, an edited `q2b → a2b` beside `q2`, and another root `r1`. */
const nodes = [
  { id: "q1", parentId: null },
  { id: "a1", parentId: "q1" },
  { id: "q2", parentId: "a1" },
  { id: "a2", parentId: "q2" },
  { id: "q2b", parentId: "a1" },
  { id: "a2b", parentId: "q2b" },
  { id: "r1", parentId: null },
];

describe("divergence", () => {
  test("gives the last message two paths share and what each has after it", () => {
    expect(divergence(nodes, "a2", "a2b")).toEqual({
      ancestorId: "a1",
      leftIds: ["q2", "a2"],
      rightIds: ["q2b", "a2b"],
    });
  });

  test("leaves nothing of a path that lies on the other", () => {
    expect(divergence(nodes, "a1", "a2")).toEqual({
      ancestorId: "a1",
      leftIds: [],
      rightIds: ["q2", "a2"],
    });
    expect(divergence(nodes, "q2", "q2")).toEqual({ ancestorId: "q2", leftIds: [], rightIds: [] });
  });

  test("shares nothing between beginnings, and with the path before the first message", () => {
    expect(divergence(nodes, "r1", "a1")).toEqual({
      ancestorId: null,
      leftIds: ["r1"],
      rightIds: ["q1", "a1"],
    });
    expect(divergence(nodes, "q1", null)).toEqual({
      ancestorId: null,
      leftIds: ["q1"],
      rightIds: [],
    });
  });

  test("refuses a message that is not there", () => {
    expect(() => divergence(nodes, "q1", "x")).toThrow(MessageNotFoundError);
  });
});
