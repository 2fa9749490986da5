import type { CallToolResult } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { ChatError } from "@/lib/chat/core/chat-error";
import type { FileStore } from "@/lib/chat/core/file-store";
import { mcpOutput, mcpText } from "./tool-output";

/** A store that keeps names alone. */
function nameStore(onPut: (count: number) => void = () => undefined) {
  const names: string[] = [];
  const store = {
    put: async (_: unknown, { name = "" }: { name?: string } = {}) => {
      names.push(name);
      onPut(names.length);
      return { sha256: String(names.length), mediaType: "image/png", size: 1 };
    },
  } as unknown as FileStore;
  return { names, store };
}

const data = Buffer.from("a picture").toString("base64");
const image = { type: "image", data, mimeType: "image/png" } as const;
const images = (count: number): CallToolResult => ({
  content: Array.from({ length: count }, () => image),
});

const megabytes = (count: number) => "x".repeat(count * 1_000_000);

const sizes: readonly (readonly [string, CallToolResult, string])[] = [
  [
    "structured content",
    { content: [], structuredContent: { rows: megabytes(15) } },
    "[15,000,011 characters of data were left out]",
  ],
  [
    "many small rows",
    { content: [], structuredContent: { rows: Array.from({ length: 300_000 }, () => 0) } },
    "[600,010 characters of data were left out]",
  ],
  [
    "text",
    { content: [{ type: "text", text: megabytes(2) }] },
    "[1,600,000 more characters of text were left out]",
  ],
  [
    "many texts",
    {
      content: Array.from(
        { length: 1_000 },
        () => ({ type: "text", text: "y".repeat(998) }) as const,
      ),
    },
    "[599,998 more characters of text were left out]",
  ],
  ["files", images(2_000), "[1,980 more files were left out]"],
  [
    "large files",
    { content: Array.from({ length: 3 }, () => ({ ...image, data: megabytes(30) })) },
    "[1 more file was left out]",
  ],
];

test.each(sizes)(
  "bounds %s, and names what is left out",
  { tags: "long" },
  async (_, result, words) => {
    const output = await mcpOutput(result, nameStore().store);
    expect(output.text.endsWith(words)).toBe(true);
    expect(JSON.stringify(output).length).toBeLessThan(420_000);
  },
);

test("bounds the data of a failure, too", async () => {
  const failed = { isError: true, content: [], structuredContent: { why: megabytes(15) } };
  const error = await mcpOutput(failed, nameStore().store).catch((each: Error) => each);
  expect(String(error)).toMatch(/^ToolFailedError: \{"why":"xxx/);
  expect(String(error).length).toBeLessThan(21_000);
});

test("a failure tells its text and its data", async () => {
  const result: CallToolResult = {
    isError: true,
    content: [{ type: "text", text: "It failed." }],
    structuredContent: { field: "city" },
  };
  const error = await mcpOutput(result, nameStore().store).catch((each: Error) => each);
  expect(error).toMatchObject({ message: 'It failed.\n\n{"field":"city"}' });
});

test.each<[string, string, boolean]>([
  ["says all of it", '{"Bonn": 5, "Berlin": 7}', false],
  ["leaves out its names", "Temperatures: 5 and 7", true],
  ["is empty", "", true],
])("keeps data beside a text that %s: %s", async (_, text, isKept) => {
  const structuredContent = { Bonn: 5, Berlin: 7 };
  const output = await mcpOutput(
    { content: [{ type: "text", text }], structuredContent },
    nameStore().store,
  );
  expect(output.structured).toEqual(isKept ? structuredContent : undefined);
});

const rows = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`row${n}`, n]));

test.each<[string, Record<string, unknown>, string[], boolean]>([
  ["a number without its sign", { temp: -5 }, ["temp: 5 degrees"], true],
  ["a number with another sign", { temp: 5 }, ["temp: -5 degrees"], true],
  ["a part of a number", { temp: 5 }, ["temp: 15 or 5.3 or 1,500"], true],
  ["a part of a word", { name: "Ann" }, ["name: Anna"], true],
  ["values without their names", { temp: -5 }, ["-5 degrees"], true],
  ["words in another order", { note: "not good" }, ["note: good, not"], true],
  ["a name without its empty list", { errors: [] }, ["Fine"], true],
  ["nothing of many rows", rows, ["300 rows"], true],
  ["many rows as words", rows, [Object.entries(rows).join("\n")], true],
  ["many rows as JSON", rows, [JSON.stringify(rows, null, 2)], false],
  ["a sentence", { temp: -5, place: "Rome" }, ["The temp at the place Rome is -5."], false],
  ["JSON in another order", { a: 1, b: [true, null] }, ['{"b":[true,null],"a":1}'], false],
  ["JSON of another value", { a: 1 }, ['{"a":"1"}'], false],
  ["JSON as its second text", { a: [-1.5e3] }, ["Here it is:", '{"a":[-1500]}'], false],
  ["text that only begins as JSON", { a: 1 }, ["[Fine]"], true],
])("beside its data, a text that says %s", async (_, structuredContent, texts, isKept) => {
  const content = texts.map((text) => ({ type: "text", text }) as const);
  const output = await mcpOutput({ content, structuredContent }, nameStore().store);
  expect(output.structured).toEqual(isKept ? structuredContent : undefined);
});

const address = `https://a.example/${megabytes(5)}`;

test.each<[string, CallToolResult["content"][number]]>([
  ["a file", { type: "resource", resource: { uri: address, blob: data, mimeType: megabytes(1) } }],
  ["a text", { type: "resource", resource: { uri: address, text: "Hello" } }],
  ["a link", { type: "resource_link", uri: address, name: megabytes(1) }],
])("shortens the address of %s", async (_, block) => {
  const output = await mcpOutput({ content: [block] }, nameStore().store);
  expect(JSON.stringify(output).length).toBeLessThan(2_000);
  expect(JSON.stringify(output)).toContain("…");
});

test("names each file that does not fit into the storage, to the person and to the model", async () => {
  const { store } = nameStore((count) => {
    if (count === 2) throw new ChatError("storage-full", "Your files use all you may store.");
  });
  const output = await mcpOutput(images(3), store);
  expect(output.text).toBe("[image 2 was left out: Your files use all you may store.]");
  expect(output.files?.map(({ url }) => url)).toEqual(["grove-file:1", undefined, "grove-file:3"]);
  expect(mcpText(output)).toContain("[image 2: image/png, not stored]");
});

test("stores no more files once it was stopped", async () => {
  const stop = new AbortController();
  const { names, store } = nameStore((count) => count === 3 && stop.abort());
  await expect(mcpOutput(images(20), store, stop.signal)).rejects.toThrow();
  expect(names).toHaveLength(3);
});
