import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionMessage, SessionMessagePart } from "../message";
import { assistant, toolCall, user } from "../testing";
import { capOutput, outputLength } from "./cap-output";
import { enforceRowSizeLimit } from "./enforce-row-size-limit";
import { shortenToolOutputs, truncateOlderMessages } from "./shorten-tool-outputs";

const long = "x".repeat(20_000);
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

const deep = Number(process.env.GROVE_TEST_DEPTH ?? 1);

/** JSON of every shape, with texts long enough to be cut. */
const largeJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "medium" },
    fc.oneof(fc.string({ unit: "binary", maxLength: 600 }), fc.integer(), fc.boolean()),
    fc.array(tie("value"), { maxLength: 60 }),
    fc.dictionary(fc.string({ maxLength: 30 }), tie("value"), {
      maxKeys: 40,
      noNullPrototype: true,
    }),
  ),
})).value;

describe("capOutput", () => {
  test("gives text its first 20,000 characters and a mark with its true size", () => {
    expect(capOutput("x".repeat(312_450))).toEqual({
      output: `${long}… [truncated: the first 20,000 of 312,450 characters]`,
      shownChars: 20_000,
      totalChars: 312_450,
    });
  });

  test("leaves a message that fits unchanged", () => {
    expect(
      [long, { text: long.slice(50) }, null, undefined, 7].map((each) => capOutput(each)),
    ).toEqual(Array.from({ length: 5 }, () => null));
  });

  test("keeps lists and records and counts what is left out of each", { tags: "long" }, () => {
    const output = { rows: Array.from({ length: 900 }, (_, n) => ({ n, text: long })), done: true };
    const { output: shorter } = capOutput(output, 2_000) ?? {};
    const { rows, done, "[truncated]": mark } = shorter as Record<string, unknown>;
    const [first, last] = [(rows as unknown[])[0], (rows as unknown[]).at(-1)];
    expect(first).toMatchObject({
      n: 0,
      text: expect.stringMatching(/^x+… \[truncated: \d+ of 20,000 characters\]$/),
    });
    expect(last).toMatch(/^\[left out: \d+ of 900 items\]$/);
    expect(done).toBe(true);
    expect(mark).toMatch(/^1,\d{3} of 18,0\d\d,\d{3} characters$/);
  });

  test("counts the fields that are left out of a record", () => {
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`field ${n}`, n]));
    const { output } = capOutput(wide, 300) ?? {};
    expect(output).toMatchObject({
      "field 0": 0,
      "[left out]": expect.stringMatching(/^4\d\d of 500 fields$/),
    });
  });

  test.each([120, 200, 279])(
    "keeps the short fields of a record capped at %s characters",
    (most) => {
      const record = { first: long, ok: true, next: long, code: 200, last: long };
      const { output } = capOutput(record, most) ?? {};
      expect(output).toMatchObject({
        ...{ ok: true, code: 200 },
        "[left out]": expect.stringMatching(/^[23] of 5 fields$/),
      });
    },
  );

  test("uses most of what the cap allows, wherever the length lies", () => {
    const outputs = [
      { a: { b: [{ text: long.repeat(3) }] } },
      [long, long, 1],
      { rows: "y".repeat(30_000) },
    ];
    for (const output of outputs) expect(capOutput(output)?.shownChars).toBeGreaterThan(18_000);
  });

  test("never cuts an image in half", () => {
    const output = { content: [{ type: "image", mimeType: "image/png", data: long }] };
    expect(capOutput(output, 500)?.output).toMatchObject({
      content: [{ type: "text", text: "[left out: 20,000 characters of binary content]" }],
    });
  });

  test("never cuts between surrogates", () => {
    expect(capOutput(`x${"🌳".repeat(500)}`, 100)?.output).toMatch(/^x🌳{49}… \[truncated/u);
  });

  test("never returns more than its source, is shortened once, keeps the shape and is marked", {
    tags: "long",
  }, () => {
    fc.assert(
      fc.property(largeJson, fc.integer({ min: 0, max: 1_000 }), (output, maxChars) => {
        const capped = capOutput(output, maxChars);
        const total = outputLength(output);
        if (!capped) {
          expect(total).toBeLessThanOrEqual(maxChars + 100);
          return;
        }
        const length = outputLength(capped.output);
        expect(length).toBeLessThan(total);
        expect(capped.totalChars).toBe(total);
        expect(capOutput(capped.output, maxChars)).toBeNull();
        expect(Array.isArray(capped.output)).toBe(Array.isArray(output));
        expect(typeof capped.output).toBe(typeof output);
        expect(JSON.stringify(capped.output)).toContain(
          `of ${total.toLocaleString("en")} characters`,
        );
        expect(JSON.stringify(capped.output).isWellFormed()).toBe(true);
      }),
      { numRuns: 60 * deep },
    );
  });
});

describe("shortenToolOutputs", () => {
  const call = (output: unknown, more: object = {}): SessionMessagePart => ({
    ...toolCall("t", {}, output),
    toolCallId: "c1",
    ...more,
  });
  const large = "y".repeat(50_000);

  test("leaves every text whole and lists each output it shortens", () => {
    const messages = [user("q1", large.repeat(9)), assistant("a1", large, call(large))];
    const before = structuredClone(messages);
    const { messages: given, shortened } = shortenToolOutputs(messages);
    expect(messages).toEqual(before);
    expect(given[0]).toBe(messages[0]);
    expect(given[1]?.parts[0]).toBe(messages[1]?.parts[0]);
    expect(given[1]?.parts[1]?.output).toMatch(/^y{20000}… \[truncated/);
    expect(shortened).toEqual([
      { messageId: "a1", toolCallId: "c1", toolName: "t", shownChars: 20_000, totalChars: 50_000 },
    ]);
  });

  test("shortens the text of an error, too", () => {
    const failed = call(undefined, { state: "output-error", errorText: large });
    const { messages } = shortenToolOutputs([assistant("a1", "", failed)]);
    expect(messages[0]?.parts[1]?.errorText).toMatch(/\[truncated/);
  });

  test("gives whole what is sent in full, provider-executed results and documents of skills", () => {
    const skill = {
      ...call(large),
      type: "tool-load_context",
      input: { label: "skills", key: "k" },
    };
    const messages = [
      assistant("a1", "", call(large)),
      assistant("a2", "", call(large, { providerExecuted: true })),
      assistant("a3", "", skill),
    ];
    const isSentInFull = ({ messageId }: { messageId: string }) => messageId === "a1";
    const given = shortenToolOutputs(messages, { isSentInFull });
    expect(given).toEqual({ messages, shortened: [] });
  });

  test("cuts each text in an output after a number of lines, and says of how many", () => {
    const lines = "line\n".repeat(2_999);
    const message = assistant("a1", lines, toolCall("read", {}, { text: lines, pages: ["one"] }));
    const { messages, shortened } = shortenToolOutputs([message], { maxLines: 2_000 });
    const [said, call] = messages[0]?.parts ?? [];
    expect(said?.text).toBe(lines);
    expect(call?.output).toEqual({
      text: `${"line\n".repeat(1_999)}line… [truncated: the first 2,000 of 3,000 lines]`,
      pages: ["one"],
    });
    expect(shortened).toMatchObject([{ toolName: "read", totalChars: 18_021 }]);
    expect(shortenToolOutputs(messages, { maxLines: 2_000 }).messages).toEqual(messages);
    expect(shortenToolOutputs([message], { maxLines: 0 }).messages[0]).toBe(message);
  });

  test("says the true size of a text that is over both limits", () => {
    const message = assistant("a1", "Here.", toolCall("read", {}, "line\n".repeat(30_000)));
    const { messages } = shortenToolOutputs([message], { maxLines: 2 });
    expect(messages[0]?.parts[1]?.output).toBe(
      "line\nline… [truncated: the first 9 of 150,000 characters]",
    );
  });

  test("drops the named fields of tool parts, and of no others", () => {
    const raw = { details: "raw" };
    const said = { type: "text", text: "Here.", ...raw };
    const fetched = { ...toolCall("fetch", {}, "page"), ...raw };
    const found = { ...toolCall("find", {}, "page"), ...raw, providerExecuted: true };
    const message: SessionMessage = { ...assistant("a1"), parts: [said, fetched, found] };
    const { messages, shortened } = shortenToolOutputs([message], { dropFields: ["details"] });
    expect(messages[0]?.parts).toEqual([said, toolCall("fetch", {}, "page"), found]);
    expect(shortened).toEqual([]);
  });

  test("decides by the output alone, independent of the messages around it", () => {
    const message = fc.record({
      text: fc.string({ maxLength: 300 }),
      output: fc.oneof(fc.string({ maxLength: 600 }), fc.array(fc.string({ maxLength: 90 }))),
    });
    const history = fc.array(message, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(history, history, (earlier, later) => {
        const given = (from: typeof earlier) =>
          shortenToolOutputs(
            from.map(({ text, output }, n) => assistant(`a${n}`, text, call(output))),
            { maxChars: 100 },
          ).messages;
        const together = given([...earlier, ...later]);
        expect(together.slice(0, earlier.length)).toEqual(given(earlier));
      }),
    );
  });
});

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
    expect(first?.parts[0]?.text).toMatch(/^x{10000}… \[truncated: the first 10,000 of 20,000 /);
    expect(second?.parts[1]?.output).toMatch(/^x{500}… \[truncated: the first 500 of 20,000 /);
    expect(second?.parts[0]?.text).toBe("short");
  });

  test("caps a large recent result, too, and gives every mark the true size", {
    tags: "long",
  }, () => {
    const rows = { rows: Array.from({ length: 30_000 }, (_, n) => ({ n, text: "x".repeat(90) })) };
    const found = { ...toolCall("web", {}, rows), providerExecuted: true };
    const call = toolCall("list", {}, rows);
    const messages = [assistant("a1", "", call), assistant("a2", "", call, found)];
    const [older, recent] = truncateOlderMessages(messages, { keepRecent: 1 });
    expect(outputLength(rows)).toBeGreaterThan(3_000_000);
    expect(recent?.parts[1]).toEqual(shortenToolOutputs(messages).messages[1]?.parts[1]);
    expect(outputLength(recent?.parts[1]?.output)).toBeLessThan(20_100);
    expect(outputLength(older?.parts[1]?.output)).toBeLessThan(600);
    expect(JSON.stringify(older)).toContain(`of ${outputLength(rows).toLocaleString("en")} char`);
    expect(recent?.parts[2]).toBe(found);
    expect(truncateOlderMessages([...messages, user("q2")], { keepRecent: 1 })[1]?.parts[2]).toBe(
      found,
    );
  });

  test("keeps four messages whole by default", () => {
    const messages = Array.from({ length: 6 }, (_, n) => user(`q${n}`, long));
    const whole = truncateOlderMessages(messages).map(({ parts }) => parts[0]?.text === long);
    expect(whole).toEqual([false, false, true, true, true, true]);
  });
});

describe("enforceRowSizeLimit", () => {
  test("returns an output that fits as it is", () => {
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
    expect(smaller.parts[2]?.output).toBe(
      `${"x".repeat(500)}… [truncated: the first 500 of 20,000 characters. Run big again to see all of it.]`,
    );
    expect(message.parts[2]?.output).toBe(long);
  });

  test("keeps the shape of what it shrinks, and lets nothing grow", { tags: "long" }, () => {
    const part = fc.record({
      input: largeJson,
      output: largeJson,
      text: fc.string({ unit: "binary", maxLength: 900 }),
    });
    fc.assert(
      fc.property(part, ({ input, output, text }) => {
        const message = assistant("a1", text, toolCall("list", input, output));
        const smaller = enforceRowSizeLimit(message, { maxBytes: 0 });
        for (const [index, each] of smaller.parts.entries())
          expect(bytesOf(each)).toBeLessThanOrEqual(bytesOf(message.parts[index]));
        const shape = (value: unknown) => (Array.isArray(value) ? "list" : typeof value);
        expect(shape(smaller.parts[1]?.input)).toBe(shape(input));
        expect(shape(smaller.parts[1]?.output)).toBe(shape(output));
      }),
      { numRuns: 30 * deep },
    );
  });

  test("leaves results of tools that a provider runs as they are", () => {
    const message = assistant("a1", "", { ...toolCall("web", {}, long), providerExecuted: true });
    expect(enforceRowSizeLimit(message, { maxBytes: 1_000 })).toEqual(message);
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
