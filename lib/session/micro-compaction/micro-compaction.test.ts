import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assistant, toolCall, user } from "@/lib/session/testing";
import { enforceRowSizeLimit } from "./enforce-row-size-limit";
import { shrinkJson } from "./shrink-json";
import { truncateOlderMessages } from "./truncate-older-messages";

const long = "x".repeat(20_000);
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

describe("truncateOlderMessages", () => {
  test("shortens tool outputs and texts of older messages, on a copy", () => {
    const messages = [
      user("q1", long),
      assistant("a1", "short", toolCall("t", {}, long)),
      assistant("a2", long, toolCall("t", {}, long)),
    ];
    const before = structuredClone(messages);
    const [first, second, third] = truncateOlderMessages(messages, { keepRecent: 1 });
    expect(messages).toEqual(before);
    expect(third).toBe(messages[2]);
    expect(String(first?.parts[0]?.text)).toMatch(/^x{10000}… \[10000 characters left out\]$/);
    expect(String(second?.parts[1]?.output)).toMatch(/^x{500}… \[19500 characters left out\]$/);
    expect(second?.parts[0]?.text).toBe("short");
  });

  test("keeps four messages whole unless told", () => {
    const messages = Array.from({ length: 6 }, (_, n) => user(`q${n}`, long));
    const whole = truncateOlderMessages(messages).map(({ parts }) => parts[0]?.text === long);
    expect(whole).toEqual([false, false, true, true, true, true]);
  });

  test("keeps the shape of structured outputs", () => {
    const output = { rows: Array.from({ length: 900 }, (_, n) => ({ n, text: long })), done: true };
    const [message] = truncateOlderMessages([assistant("a1", "", toolCall("t", {}, output))], {
      keepRecent: 0,
    });
    const shrunk = message?.parts[1]?.output as typeof output;
    expect(Array.isArray(shrunk.rows)).toBe(true);
    expect(shrunk.rows[0]?.n).toBe(0);
    expect(JSON.stringify(shrunk).length).toBeLessThanOrEqual(500);
  });

  test("never halves a picture", () => {
    const output = { content: [{ type: "image", mimeType: "image/png", data: long }] };
    expect(shrinkJson(output, 500)).toEqual({
      content: [{ type: "text", text: "[binary content left out]" }],
    });
  });

  test("any JSON comes out short enough, lists as lists and records as records", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5 }),
        fc.integer({ min: 20, max: 200 }),
        (value, maxChars) => {
          const shrunk = shrinkJson(value, maxChars);
          expect(Array.isArray(shrunk)).toBe(Array.isArray(value));
          expect(typeof shrunk).toBe(typeof value);
          if (typeof shrunk === "object")
            expect(JSON.stringify(shrunk).length).toBeLessThanOrEqual(maxChars);
        },
      ),
    );
  });
});

describe("enforceRowSizeLimit", () => {
  test("returns what fits as it is", () => {
    const message = assistant("a1", long);
    expect(enforceRowSizeLimit(message)).toBe(message);
  });

  test("replaces the largest tool outputs first, and only as many as needed", () => {
    const message = assistant(
      "a1",
      "text",
      toolCall("small", {}, "y".repeat(5_000)),
      toolCall("big", {}, long),
    );
    const smaller = enforceRowSizeLimit(message, { maxBytes: 8_000 });
    expect(bytesOf(smaller)).toBeLessThanOrEqual(8_000);
    expect(smaller.parts[1]).toEqual(message.parts[1]);
    expect(String(smaller.parts[2]?.output)).toMatch(
      /^x{500}…\n\[This output was too large .* Run big again/,
    );
    expect(message.parts[2]?.output).toBe(long);
  });

  test("replaces structured outputs, inputs, files, reasoning and at last text", () => {
    const message = assistant(
      "a1",
      long,
      toolCall("t", { text: long }, { rows: [long] }),
      { type: "file", filename: "a.png", mediaType: "image/png", url: `data:${long}` },
      { type: "reasoning", text: long },
      { type: "data-chart", data: { points: long } },
    );
    const smaller = enforceRowSizeLimit(message, { maxBytes: 5_000 });
    expect(bytesOf(smaller)).toBeLessThanOrEqual(5_000);
    expect(smaller.parts.map(({ type }) => type)).toEqual([
      "text",
      "tool-t",
      "text",
      "reasoning",
      "text",
    ]);
    expect(smaller.parts[2]?.text).toBe(
      "[File a.png left out: too large to keep. Attach it again to use it.]",
    );
    const keepsText = enforceRowSizeLimit(message, { maxBytes: 25_000 });
    expect(keepsText.parts[0]?.text).toBe(long);
  });
});
