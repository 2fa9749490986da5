import { expect, test } from "vitest";
import { threadInHeaders } from "./thread";

const inHeaders = (headers: Record<string, string>) => threadInHeaders(new Headers(headers));

test.each([
  "session_id",
  "session-id",
  "X-Session-Id",
  "x-session-affinity",
  "x-opencode-session",
  "X-Claude-Code-Session-Id",
  "thread-id",
  "x-thread-id",
  "conversation_id",
  "X-OpenWebUI-Chat-Id",
])("%s names a conversation", (name) => {
  expect(inHeaders({ [name]: "abc" })).toBe("abc");
});

test.each([
  ["x-session-count", "3"],
  ["x-possession", "abc"],
  ["x-chat-model", "abc"],
  ["x-session-id", ""],
  ["x-session-id", "x".repeat(201)],
])("%s: %s names none", (name, value) => {
  expect(inHeaders({ [name]: value })).toBeNull();
});

test("the narrowest of several names counts", () => {
  expect(inHeaders({ session_id: "task", thread_id: "helper" })).toBe("helper");
});
