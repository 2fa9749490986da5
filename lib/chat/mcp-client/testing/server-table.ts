import {
  type Asked,
  asStream,
  type Bytes,
  type OddServer,
  plainTool,
  type Wire,
} from "./odd-server";

const json: Wire = (messages) => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(messages.at(-1)),
});

/** A stream with other line ends, or with more around its events. */
const streamed =
  (change: (body: string) => string): Wire =>
  (messages) => {
    const { headers = {}, body = "" } = asStream(messages);
    return { headers, body: change(body) };
  };

const jsonAs =
  (type: string, change: (body: string) => string = (body) => body): Wire =>
  (messages) => ({
    headers: { "content-type": type },
    body: change(JSON.stringify(messages.at(-1))),
  });

const refuses =
  (method: string, bytes: Bytes) =>
  (asked: Asked): Bytes | null =>
    asked.method === method ? bytes : null;

const page: Bytes = {
  headers: { "content-type": "text/html" },
  body: "<!doctype html><h1>502 Bad Gateway</h1>",
};

const notice = (method: string, params: object = {}) => ({ jsonrpc: "2.0", method, params });
const request = (method: string, params: object = {}) => ({ ...notice(method, params), id: "q1" });

const tool = (name: unknown, fields: object = {}) => ({ ...plainTool, name, ...fields });
const content = (...blocks: unknown[]) => ({ content: blocks });

const refusedArguments = JSON.stringify([
  { code: "invalid_type", expected: "string", path: ["city"], message: "Required" },
]);

/** A row each. Quirks are those of real servers, as their users report them and the revisions of the protocol allow. */
export const oddServers: readonly OddServer[] = [
  { name: "2025-06-18 with streams" },
  { name: "2025-03-26 with JSON answers", version: "2025-03-26", wire: json },
  { name: "2024-11-05 with one stream", version: "2024-11-05", isOld: true },
  { name: "CRLF in its stream", wire: streamed((body) => body.replaceAll("\n", "\r\n")) },
  { name: "CR in its stream", wire: streamed((body) => body.replaceAll("\n", "\r")) },
  { name: "byte order mark before its stream", wire: streamed((body) => `\uFEFF${body}`) },
  {
    name: "byte order mark before its JSON",
    wire: jsonAs("application/json", (it) => `\uFEFF${it}`),
  },
  {
    name: "comments, ids and pauses in its stream",
    wire: streamed((body) => `: hi\n\nid: 1\nretry: 10\ndata:\n\n${body}`),
  },
  {
    name: "text that is no JSON in its stream",
    wire: streamed((body) => `data: ok\n\n${body}data: [DONE]\n\n`),
  },
  { name: "JSON as plain text", wire: jsonAs("text/plain; charset=utf-8") },
  { name: "JSON without a type", wire: (messages) => ({ body: json(messages).body ?? "" }) },
  { name: "answers in a batch", wire: jsonAs("application/json", (it) => `[${it}]`) },
  {
    name: "messages without a version",
    wire: jsonAs("application/json", (it) => it.replace('"jsonrpc":"2.0",', "")),
  },
  {
    name: "ids as texts",
    wire: jsonAs("application/json", (it) => it.replace(/"id":(\d+)/, '"id":"$1"')),
  },
  {
    name: "an error beside its result",
    wire: jsonAs("application/json", (it) => it.replace(/\}$/, ',"error":null}')),
  },
  {
    name: "500 before it is initialized",
    refuse: refuses("server/discover", { status: 500, body: "boom" }),
  },
  {
    name: "400 before it is initialized",
    refuse: refuses("server/discover", {
      status: 400,
      body: "Bad Request: No valid session ID provided",
    }),
  },
  { name: "a page for what it does not know", refuse: refuses("server/discover", page) },
  {
    name: "nothing for what it does not know",
    refuse: refuses("server/discover", { end: "hang" }),
    expects: { isSlow: true },
  },
  {
    name: "nothing at all",
    refuse: () => ({ end: "hang" }),
    expects: { tools: [], problem: /did not answer/, isSlow: true },
  },
  {
    name: "a page for everything",
    refuse: () => page,
    expects: { tools: [], problem: /web page|no MCP/ },
  },
  {
    name: "502 for everything",
    refuse: () => ({ ...page, status: 502 }),
    expects: { tools: [], problem: /502/ },
  },
  {
    name: "401 for everything",
    refuse: () => ({
      status: 401,
      headers: { "www-authenticate": 'Bearer error="invalid_token"' },
    }),
    expects: { tools: [], problem: /sign in/ },
  },
  {
    name: "tools without a schema",
    pages: [[{ name: "go" }, { name: "b", inputSchema: null }]],
    expects: { tools: ["go", "b"] },
  },
  {
    name: "schemas of every form",
    pages: [
      [
        tool("go", { inputSchema: {} }),
        tool("ref", { inputSchema: { $ref: "#/$defs/a", $defs: { a: { type: "object" } } } }),
        tool("any", { inputSchema: { anyOf: [{ type: "object" }, { type: "null" }] } }),
        tool("types", {
          inputSchema: {
            type: ["object", "null"],
            properties: { a: { type: ["string", "null"] } },
          },
        }),
        tool("bool", { inputSchema: true }),
        tool("array", { inputSchema: { type: "array", items: {} } }),
      ],
    ],
    expects: { tools: ["go", "ref", "any", "types", "bool", "array"] },
  },
  {
    name: "twins and entries without a name",
    pages: [[plainTool, plainTool, null, { title: "No" }, tool("")]],
    expects: { leftOut: 4 },
  },
  {
    name: "names that models refuse",
    pages: [[plainTool, tool("a.b/c"), tool("größe"), tool("x".repeat(300)), tool("a b/c")]],
    expects: { tools: ["go", "a_b_c_", "gr__e_", "xxxx", "a_b_c_"] },
  },
  { name: "names that are numbers", pages: [[plainTool, tool(7)]], expects: { leftOut: 1 } },
  {
    name: "300 tools on pages",
    pages: Array.from({ length: 6 }, (_, at) =>
      Array.from({ length: 50 }, (_, n) => tool(at + n === 0 ? "go" : `t${at}_${n}`)),
    ),
    expects: { tools: Array.from({ length: 300 }, () => "") },
  },
  { name: "a list without an end", isEndless: true, expects: { leftOut: 1 } },
  {
    name: "a list that repeats itself",
    pages: [[plainTool]],
    refuse: ({ method, params }) => (method === "tools/list" && params.cursor ? null : null),
    isEndless: true,
    expects: { leftOut: 1 },
  },
  {
    name: "blocks of later kinds",
    result: (words) => content({ type: "chart", title: words }, { type: "text", text: "Fine." }),
  },
  { name: "bare text for blocks", result: (words) => ({ content: [words, null, 7] }) },
  { name: "a text for its content", result: (words) => ({ content: words }) },
  {
    name: "one block for its content",
    result: (words) => ({ content: { type: "text", text: words } }),
  },
  { name: "no content", result: (words) => ({ structuredContent: { words } }) },
  {
    name: "structured content beside none",
    result: (words) => ({ content: [], structuredContent: { words } }),
  },
  {
    name: "structured content beside a summary",
    result: (words) => ({
      ...content({ type: "text", text: "2 rows" }),
      structuredContent: { rows: [words] },
    }),
  },
  {
    name: "a list for its structured content",
    result: (words) => ({ content: [], structuredContent: [words] }),
  },
  { name: "the result of 2024", result: (words) => ({ toolResult: { words } }) },
  { name: "bare fields for its result", result: (words) => ({ weather: words }) },
  { name: "a bare text for its result", result: (words) => words },
  { name: "a list for its result", result: (words) => [{ type: "text", text: words }] },
  { name: "nothing for its result", result: () => null, expects: { sentence: /./ } },
  {
    name: "a link",
    result: (words) => content({ type: "resource_link", uri: `file:///${words}`, name: words }),
  },
  {
    name: "an embedded text",
    result: (words) => content({ type: "resource", resource: { uri: "a:b", text: words } }),
  },
  {
    name: "a resource without its text",
    result: (words) => content({ type: "resource", resource: { uri: words } }),
  },
  {
    name: "a picture and a sound",
    result: (words) =>
      content(
        { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
        { type: "audio", data: "AAAA", mimeType: "audio/wav" },
        { type: "text", text: words },
      ),
  },
  {
    name: "a picture without its kind",
    result: (words) => content({ type: "image", data: "AAAA" }, { type: "text", text: words }),
  },
  {
    name: "numbers for text",
    result: (words) =>
      content({ type: "text", text: 7 }, { type: "text", text: words, annotations: "x" }),
  },
  {
    name: "a failure in words",
    result: (words) => ({ ...content({ type: "text", text: words }), isError: true }),
  },
  {
    name: "a failure as a text",
    result: (words) => ({ ...content({ type: "text", text: words }), isError: "false" }),
  },
  {
    name: "a failure in its structured content",
    result: (words) => ({ content: [], structuredContent: { words }, isError: true }),
  },
  {
    name: "arguments refused by its SDK",
    result: (words) => ({
      ...content({ type: "text", text: `MCP error -32602: ${words}: ${refusedArguments}` }),
      isError: true,
    }),
  },
  {
    name: "arguments refused by its SDK, as an error",
    error: (words) => ({ code: -32602, message: `${words}: ${refusedArguments}` }),
  },
  { name: "an error of the protocol", error: (words) => ({ code: -32603, message: words }) },
  { name: "an error that is a text", error: (words) => words, wire: json },
  {
    name: "an error with its words in its data",
    error: (words) => ({ code: -32000, message: "Failed", data: { words } }),
  },
  { name: "an error without a code", error: (words) => ({ message: words }), wire: json },
  {
    name: "a huge result",
    result: (words) => content({ type: "text", text: words + "x".repeat(2_000_000) }),
  },
  {
    name: "notices before its answer",
    before: () => [
      notice("notifications/message", { level: "info", data: "x" }),
      notice("notifications/tools/list_changed"),
      notice("notifications/odd", { a: 1 }),
      notice("notifications/progress", { progressToken: "?", progress: 1 }),
    ],
  },
  {
    name: "a storm of changed lists",
    before: () => Array.from({ length: 200 }, () => notice("notifications/tools/list_changed")),
  },
  { name: "a ping before its answer", before: () => [request("ping")] },
  {
    name: "a request to sample before its answer",
    before: () => [request("sampling/createMessage", { messages: [], maxTokens: 1 })],
  },
  {
    name: "a question before its answer",
    before: () => [
      request("elicitation/create", {
        message: "Which?",
        requestedSchema: { type: "object", properties: { a: { type: "string" } } },
      }),
    ],
  },
  {
    name: "a question without a form",
    before: () => [request("elicitation/create", { message: "Which?" })],
  },
  {
    name: "a question in odd forms",
    before: () => [
      request("elicitation/create", {
        message: "Which?",
        requestedSchema: {
          type: "object",
          properties: { a: { type: "object" }, b: { type: "array", items: {} } },
        },
      }),
    ],
  },
  {
    name: "the answer to another request first",
    before: () => [{ jsonrpc: "2.0", id: 999, result: {} }],
  },
  {
    name: "an end in the middle of its answer",
    refuse: refuses("tools/call", {
      headers: { "content-type": "text/event-stream" },
      body: 'data: {"jsonrpc":',
      end: "cut",
    }),
    expects: { sentence: /./ },
  },
  {
    name: "a stream that ends without an answer",
    refuse: refuses("tools/call", {
      headers: { "content-type": "text/event-stream" },
      body: ": bye\n\n",
    }),
    expects: { sentence: /./ },
  },
  {
    name: "a page for a call",
    refuse: refuses("tools/call", page),
    expects: { sentence: /web page|no MCP/ },
  },
  {
    name: "429 for a call",
    refuse: refuses("tools/call", { status: 429, body: '{"error":"Slow down."}' }),
    expects: { sentence: /429|Slow down/ },
  },
  {
    name: "accepted, and nothing more",
    refuse: refuses("tools/call", { status: 202 }),
    expects: { sentence: /./, isSlow: true },
  },
];
