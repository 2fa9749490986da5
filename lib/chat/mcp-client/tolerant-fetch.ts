import type { FetchLike } from "@modelcontextprotocol/client";
import { z } from "zod";

type RpcFields = Readonly<Record<string, unknown>>;

interface SentRequest {
  readonly id: unknown;
  readonly method: string;
}

const probe = "server/discover";
const code = -32_000;

/**
 * Events and JSON become single messages, and a request without a valid response fails at once. @param probeMs time for
 * the request that old servers do not know.
 */
export function tolerantFetch(fetch: FetchLike, { probeMs }: { probeMs: number }): FetchLike {
  // Servers of 2024 answer on a stream of their own.
  const asked = new Map<string, SentRequest>();
  return async (input, init) => {
    const sent = sentIn(init?.body);
    if (sent) remember(asked, sent);
    if (sent?.method !== probe) return readable(await fetch(input, init), sent, asked);
    const late = AbortSignal.timeout(probeMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, late]) : late;
    try {
      const response = await fetch(input, { ...init, signal });
      const isRefused = response.status === 401 || response.status === 403;
      if (response.ok || isRefused) return await readable(response, sent, asked);
      await response.body?.cancel();
      return failure(sent, `The server answered with ${response.status}.`);
    } catch (error) {
      if (!late.aborted || init?.signal?.aborted) throw error;
      return failure(sent, "The server did not answer in time.");
    }
  };
}

type SentRequests = ReadonlyMap<string, SentRequest>;
const mostAsked = 200;

function remember(asked: Map<string, SentRequest>, sent: SentRequest): void {
  const [oldest] = asked.keys();
  if (asked.size >= mostAsked && oldest !== undefined) asked.delete(oldest);
  asked.set(String(sent.id), sent);
}

function sentIn(body: unknown): SentRequest | null {
  if (typeof body !== "string" || !body.startsWith("{")) return null;
  const { id, method } = Object(JSON.parse(body)) as RpcFields;
  return id === undefined || typeof method !== "string" ? null : { id, method };
}

async function readable(
  response: Response,
  sent: SentRequest | null,
  asked: SentRequests,
): Promise<Response> {
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok || response.status === 202 || !response.body) return response;
  if (type.startsWith("text/event-stream"))
    return rewritten(response, events(response.body, sent, asked));
  if (!sent) return response;
  const text = await response.text();
  const messages = messagesIn(text, sent, asked);
  if (messages.length === 0) return failure(sent, notMcp(text), response.headers);
  return rewritten(response, messages.length === 1 ? messages[0] : messages);
}

function notMcp(text: string): string {
  return /^\s*</.test(text)
    ? "The server answered with a web page, which is no MCP. Check its address."
    : "The server answered with something that is no MCP. Check its address.";
}

function failure(sent: SentRequest, message: string, headers = new Headers()): Response {
  return rewritten(new Response(null, { headers }), failed(sent, message));
}

const failed = ({ id }: SentRequest, message: string) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});

function rewritten(
  { status, headers: given }: Response,
  body: ReadableStream<Uint8Array> | unknown,
): Response {
  const headers = new Headers(given);
  headers.delete("content-length");
  headers.delete("content-encoding");
  if (body instanceof ReadableStream) return new Response(body, { status, headers });
  headers.set("content-type", "application/json");
  return new Response(JSON.stringify(body), { status, headers });
}

function events(
  bytes: ReadableStream<Uint8Array>,
  sent: SentRequest | null,
  asked: SentRequests,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const lines: string[] = [];
  const unended: string[] = [];
  let endsLine = false;
  let isAnswered = false;
  let canGoOn = false;
  const write = (message: object) => `data: ${JSON.stringify(message)}\n\n`;
  const rewrite = (event: readonly string[]): string => {
    const fields = event.map((line) => /^(\w+): ?(.*)$/s.exec(line) ?? []);
    const valuesOf = (name: string) =>
      fields.flatMap(([, key, value]) => (key === name ? [value] : []));
    const data = valuesOf("data").join("\n");
    const [name = "message"] = valuesOf("event");
    const [id] = valuesOf("id");
    const [retry] = valuesOf("retry");
    const head = `${id === undefined ? "" : `id: ${id}\n`}${retry === undefined ? "" : `retry: ${retry}\n`}`;
    canGoOn ||= id !== undefined;
    if (name !== "message") return `${head}event: ${name}\ndata: ${data}\n\n`;
    const messages = data === "" ? [] : messagesIn(data, sent, asked);
    isAnswered ||= messages.some((message) => sent !== null && message.id === sent.id);
    // An event without data still moves the place at which a stream continues.
    return messages.length === 0 && head !== ""
      ? `${head}data:\n\n`
      : head + messages.map(write).join("");
  };
  const end = () => (sent && !isAnswered && !canGoOn ? write(failed(sent, brokenOff)) : "");
  const ended = (line: string): string => {
    if (line === "") return rewrite(lines.splice(0));
    lines.push(line);
    return "";
  };
  const whole = (given: string, isLast: boolean): string => {
    // A line may end with CR, LF or both, and both may come in two pieces.
    const text = endsLine ? given.replace(/^\n/, "") : given;
    endsLine = text.endsWith("\r");
    const [first = "", ...others] = text.replace(/\r\n?/g, "\n").split("\n");
    unended.push(first);
    let rewritten = "";
    for (const each of others) {
      rewritten += ended(unended.splice(0).join(""));
      unended.push(each);
    }
    return isLast ? rewritten + ended(unended.splice(0).join("")) + ended("") + end() : rewritten;
  };
  const decoder = new TextDecoder();
  const reader = bytes.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        for (let text = ""; text === ""; ) {
          const { value, done } = await reader.read();
          text = whole(done ? decoder.decode() : decoder.decode(value, { stream: true }), done);
          if (text !== "") controller.enqueue(encoder.encode(text));
          if (done) return controller.close();
        }
      } catch (error) {
        const text = end();
        if (text === "") return controller.error(error);
        controller.enqueue(encoder.encode(text));
        controller.close();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

const brokenOff = "The server closed the connection before it answered.";

function messagesIn(text: string, sent: SentRequest | null, asked: SentRequests): RpcFields[] {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return [];
  }
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.flatMap((each): RpcFields[] => {
    const message = wellFormed(Object(each) as RpcFields, sent, asked);
    return message ? [message] : [];
  });
}

function wellFormed(
  given: RpcFields,
  sent: SentRequest | null,
  asked: SentRequests,
): RpcFields | null {
  const { id, method, params, error, result } = given;
  if (typeof method === "string") {
    const fields = objectSchema.safeParse(params).data;
    const hasId = typeof id === "string" || typeof id === "number";
    return { jsonrpc: "2.0", method, ...(hasId && { id }), ...(fields && { params: fields }) };
  }
  const isOwn =
    sent !== null && (id === undefined || id === null || String(id) === String(sent.id));
  const answered = isOwn ? sent : (asked.get(String(id)) ?? null);
  const head = { jsonrpc: "2.0", id: answered?.id ?? id };
  if (error !== undefined && error !== null) return { ...head, error: errorOf(error, answered) };
  return "result" in given ? { ...head, result: resultOf(result, answered) } : null;
}

const objectSchema = z.record(z.string(), z.unknown());
const errorSchema = z.object({
  code: z.int().catch(code),
  message: z.string().catch(""),
  data: z.unknown().optional(),
});

/** A tool may give its reason in data, which models do not see. */
function errorOf(error: unknown, sent: SentRequest | null): RpcFields {
  const { data: read } = errorSchema.safeParse(error);
  if (!read) return { code, message: typeof error === "string" ? error : JSON.stringify(error) };
  const { data, message, ...others } = read;
  const told =
    data === undefined || sent?.method !== "tools/call" ? "" : ` ${JSON.stringify(data)}`;
  const words = `${message}${told}`.trim() || JSON.stringify(error);
  return { ...others, message: words, ...(data !== undefined && { data }) };
}

function resultOf(result: unknown, sent: SentRequest | null): RpcFields {
  const { data } = objectSchema.safeParse(result);
  if (data) return sent?.method === "tools/call" ? withContent(data) : data;
  if (sent?.method !== "tools/call" || result === null || result === undefined)
    return { content: [] };
  return { content: Array.isArray(result) ? result : [result] };
}

const laterFields = ["resultType", "inputRequests", "requestState", "task"];

/** Unknown fields are the tool's own data, where a result holds nothing else. */
function withContent(result: RpcFields): RpcFields {
  const { _meta, isError, content, structuredContent, toolResult, ...data } = result;
  const isSaid = (content ?? "") !== "" && !(Array.isArray(content) && content.length === 0);
  const hasData = (structuredContent ?? toolResult ?? null) !== null;
  const isLater = laterFields.some((field) => field in result);
  if (isSaid || hasData || isLater || Object.keys(data).length === 0) return result;
  return {
    content: [],
    structuredContent: data,
    ...(isError !== undefined && { isError }),
    ...(_meta !== undefined && { _meta }),
  };
}
