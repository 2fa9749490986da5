import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { describe, expect, test } from "vitest";
import { repaired } from "./tolerant-transport";

function read(result: Record<string, unknown>) {
  const leftOut: string[] = [];
  const message = { jsonrpc: "2.0", id: 1, result } as JSONRPCMessage;
  const answer = repaired(message, (what) => leftOut.push(what)) as {
    result: { tools?: Record<string, unknown>[]; content?: unknown[] };
  };
  return { ...answer.result, leftOut };
}

describe("a list of tools", () => {
  test.each([
    ["no schema", {}],
    ["null for a schema", { inputSchema: null }],
    ["a list for a schema", { inputSchema: [] }],
    ["a schema without a type", { inputSchema: {} }],
    ["properties that are none", { inputSchema: { type: "object", properties: [] } }],
  ])("takes a tool with %s as one with an object without properties", (_, given) => {
    const { tools, leftOut } = read({ tools: [{ name: "go", ...given }] });
    expect(tools).toEqual([{ name: "go", inputSchema: { type: "object", properties: {} } }]);
    expect(leftOut).toEqual([]);
  });

  test("keeps a valid schema as it is, since a changed one would ask the person again", () => {
    const inputSchema = { type: "object", $defs: {}, additionalProperties: false };
    const { tools } = read({ tools: [{ name: "go", inputSchema }] });
    expect(tools?.[0]?.inputSchema).toEqual(inputSchema);
  });

  test("drops what the SDK would refuse: odd titles, annotations, icons and a schema of outputs", () => {
    const odd = { title: 3, description: null, annotations: "x", icons: 1, outputSchema: "y" };
    const { tools } = read({ tools: [{ name: "go", ...odd }] });
    expect(tools).toEqual([{ name: "go", inputSchema: { type: "object", properties: {} } }]);
  });
});

test("leaves requests and errors of the server as they are", () => {
  const error = { jsonrpc: "2.0", id: 1, error: { code: 1, message: "No" } } as JSONRPCMessage;
  expect(repaired(error, () => undefined)).toBe(error);
});

describe("a picture", () => {
  const block = (data: string) => ({ type: "image", data, mimeType: "image/png" });

  test.each([
    ["iVBORw0KGgo=", "iVBORw0KGgo="],
    ["iVBORw0K\nGgo", "iVBORw0K\nGgo"],
    ["data:image/png;base64,iVBORw0KGgo=", "iVBORw0KGgo="],
    ["-_8", "+/8"],
  ])("is taken as %j", (data, expected) => {
    expect(read({ content: [block(data)] }).content).toEqual([block(expected)]);
  });

  test.each(['"iVBORw0KGgo="', "no picture!", "A"])(
    "of other data becomes words, beside what else there is: %j",
    (data) => {
      const text = { type: "text", text: "Rain" };
      const words = `[A block of the kind “image”, which Grove does not know: ${JSON.stringify(block(data))}]`;
      expect(read({ content: [block(data), text] }).content).toEqual([
        { type: "text", text: words },
        text,
      ]);
    },
  );
});
