import { z } from "zod";

/** A sentence for each rule of the provider that the request breaks. */
export type Rules = (body: unknown) => string[];

const text = z.string().refine((value) => value.trim() !== "", "holds a blank text");
const json = z.string().refine((value) => {
  try {
    return typeof JSON.parse(value) === "object";
  } catch {
    return false;
  }
}, "holds arguments that are no JSON");

/** Ids and names as the strictest of the servers with this format take them. */
const shortId = z.string().regex(/^[\w-]{1,40}$/, "holds an id that is refused");
const toolName = z.string().regex(/^[\w-]{1,64}$/, "holds a tool's name that is refused");

const chatCall = z.object({
  id: shortId,
  type: z.literal("function"),
  function: z.object({ name: toolName, arguments: json }),
});
const chatContent = z.union([text, z.array(z.object({ type: z.literal("text"), text })).min(1)]);
const dataUrl = z.string().regex(/^data:[\w/+.-]+;base64,[A-Za-z0-9+/=]+$/, "holds no data");
const chatQuestion = z.union([
  text,
  z
    .array(
      z.union([
        z.object({ type: z.literal("text"), text }),
        z.object({ type: z.literal("image_url"), image_url: z.object({ url: dataUrl }) }),
        z.object({ type: z.literal("file"), file: z.object({ file_data: dataUrl }) }),
      ]),
    )
    .min(1),
]);
const chatMessage = z.discriminatedUnion("role", [
  z.object({ role: z.enum(["system", "developer"]), content: chatContent }),
  z.object({ role: z.literal("user"), content: chatQuestion }),
  z
    .object({
      role: z.literal("assistant"),
      content: z.string().nullish(),
      tool_calls: z.array(chatCall).min(1).optional(),
    })
    .refine(
      ({ content, tool_calls }) => tool_calls !== undefined || (content ?? "").trim() !== "",
      "holds an empty answer",
    ),
  z.object({ role: z.literal("tool"), tool_call_id: shortId, content: z.string() }),
]);

/** @see https://platform.openai.com/docs/api-reference/chat/create */
export const chatRules: Rules = (body) =>
  checked(z.object({ messages: z.array(chatMessage).min(1) }), body, ({ messages }) => [
    ...systemFirst(messages),
    ...pairing(
      messages.map((message) =>
        message.role === "tool"
          ? { results: [message.tool_call_id] }
          : {
              calls:
                message.role === "assistant" ? (message.tool_calls ?? []).map(({ id }) => id) : [],
            },
      ),
    ),
    ...endsWithQuestion(messages.at(-1)?.role, ["user", "tool"]),
  ]);

const callId = z.string().regex(/^[\w-]{1,64}$/, "holds an id that is refused");
const responsesItem = z.union([
  z.object({ role: z.enum(["system", "developer"]), content: text }),
  z.object({
    role: z.literal("user"),
    content: z
      .array(
        z.union([
          z.object({ type: z.literal("input_text"), text }),
          z.object({ type: z.literal("input_image"), image_url: dataUrl }),
          z.object({ type: z.literal("input_file"), file_data: dataUrl }),
        ]),
      )
      .min(1),
  }),
  z.object({
    role: z.literal("assistant"),
    id: z.string().optional(),
    content: z.union([text, z.array(z.object({ type: z.literal("output_text"), text })).min(1)]),
  }),
  z.object({ type: z.literal("function_call"), call_id: callId, name: toolName, arguments: json }),
  z.object({ type: z.literal("function_call_output"), call_id: callId, output: z.unknown() }),
  z.object({
    type: z.literal("reasoning"),
    id: z.string(),
    encrypted_content: z.string().min(1),
    summary: z.array(z.unknown()),
  }),
]);

/** @see https://platform.openai.com/docs/api-reference/responses/create */
export const responsesRules: Rules = (body) =>
  checked(z.object({ input: z.array(responsesItem).min(1) }), body, ({ input }) => {
    const kinds = input.map((item) => ("type" in item ? item.type : item.role));
    const open = new Set<string>();
    const known = new Set<string>();
    const problems: string[] = [];
    for (const [index, item] of input.entries()) {
      if (!("type" in item)) {
        if (item.role === "user" && open.size > 0) problems.push("A call has no output.");
        continue;
      }
      if (item.type === "function_call") {
        if (known.has(item.call_id)) problems.push("Two calls have one id.");
        known.add(item.call_id);
        open.add(item.call_id);
      }
      if (item.type === "function_call_output" && !open.delete(item.call_id))
        problems.push("An output has no call.");
      const next = kinds[index + 1];
      if (
        item.type === "reasoning" &&
        !["assistant", "function_call", "reasoning"].includes(next ?? "")
      )
        problems.push("Reasoning has no item after it.");
    }
    const ids = input.flatMap((item) => ("id" in item && item.id !== undefined ? [item.id] : []));
    if (new Set(ids).size < ids.length) problems.push("Two items have one id.");
    if (open.size > 0) problems.push("A call has no output.");
    return [...problems, ...endsWithQuestion(kinds.at(-1), ["user", "function_call_output"])];
  });

const anthropicId = z.string().regex(/^[\w-]+$/, "holds an id that is refused");
const anthropicText = z.object({ type: z.literal("text"), text });
const anthropicSource = z.object({
  type: z.literal("base64"),
  media_type: z.string(),
  data: z.string().min(1),
});
const anthropicBlock = z.discriminatedUnion("type", [
  anthropicText,
  z.object({ type: z.enum(["image", "document"]), source: anthropicSource }),
  z.object({ type: z.literal("thinking"), thinking: z.string(), signature: z.string().min(1) }),
  z.object({ type: z.literal("redacted_thinking"), data: z.string().min(1) }),
  z.object({
    type: z.literal("tool_use"),
    id: anthropicId,
    name: toolName,
    input: z.record(z.string(), z.unknown()),
  }),
  z
    .object({
      type: z.literal("tool_result"),
      tool_use_id: anthropicId,
      is_error: z.boolean().optional(),
      content: z.union([z.string(), z.array(anthropicText)]).optional(),
    })
    .refine(
      ({ is_error, content }) => is_error !== true || (content ?? "").length > 0,
      "holds an error without content",
    ),
]);

/** @see https://docs.claude.com/en/api/messages */
export const anthropicRules: Rules = (body) => {
  const message = z.object({
    role: z.enum(["user", "assistant"]),
    content: z.array(anthropicBlock).min(1),
  });
  const request = z.object({
    system: z.union([text, z.array(anthropicText).min(1)]).optional(),
    messages: z.array(message).min(1),
  });
  return checked(request, body, ({ messages }) => {
    const problems: string[] = [];
    for (const [index, { role, content }] of messages.entries()) {
      if (role !== (index % 2 === 0 ? "user" : "assistant"))
        problems.push("Roles do not alternate.");
      const firstOther = content.findIndex(({ type }) => type !== "tool_result");
      if (firstOther !== -1 && content.slice(firstOther).some(({ type }) => type === "tool_result"))
        problems.push("A result comes after other content.");
    }
    const turns = messages.map(({ content }) => ({
      calls: content.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])),
      results: content.flatMap((block) =>
        block.type === "tool_result" ? [block.tool_use_id] : [],
      ),
    }));
    return [...problems, ...pairing(turns), ...endsWithQuestion(messages.at(-1)?.role, ["user"])];
  });
};

const googleName = z
  .string()
  .regex(/^[A-Za-z_][\w.:-]{0,63}$/, "holds a tool's name that is refused");
const googlePart = z.union([
  // A signature may come with no text, and has to be sent back.
  z.object({ text: z.string(), thought: z.literal(true), thoughtSignature: z.string().min(1) }),
  z.object({ text, thought: z.boolean().optional() }),
  z.object({ inlineData: z.object({ mimeType: z.string(), data: z.string().min(1) }) }),
  z.object({
    functionCall: z.object({ name: googleName, args: z.record(z.string(), z.unknown()).nullish() }),
  }),
  z.object({
    functionResponse: z.object({ name: googleName, response: z.record(z.string(), z.unknown()) }),
  }),
]);

/** @see https://ai.google.dev/api/caching#Content */
export const googleRules: Rules = (body) => {
  const content = z.object({ role: z.enum(["user", "model"]), parts: z.array(googlePart).min(1) });
  const request = z.object({
    systemInstruction: z.object({ parts: z.array(z.object({ text })).min(1) }).optional(),
    contents: z.array(content).min(1),
  });
  return checked(request, body, ({ contents }) => {
    const problems: string[] = [];
    if (contents[0]?.role !== "user") problems.push("The first turn is the model's.");
    for (const [index, { parts }] of contents.entries()) {
      const called = namesOf(parts, "functionCall");
      if (called.length > 0) {
        const answered = namesOf(contents[index + 1]?.parts ?? [], "functionResponse");
        if (answered.join() !== called.join()) problems.push("Calls and responses differ.");
        if (index === 0) problems.push("A call comes before any question.");
      }
      const isAnswering = namesOf(parts, "functionResponse").length > 0;
      if (isAnswering && namesOf(contents[index - 1]?.parts ?? [], "functionCall").length === 0)
        problems.push("A response has no call.");
    }
    return [...problems, ...endsWithQuestion(contents.at(-1)?.role, ["user"])];
  });
};

function namesOf(
  parts: readonly z.infer<typeof googlePart>[],
  kind: "functionCall" | "functionResponse",
): string[] {
  return parts.flatMap((part) => {
    if (kind === "functionCall" && "functionCall" in part) return [part.functionCall.name];
    if (kind === "functionResponse" && "functionResponse" in part)
      return [part.functionResponse.name];
    return [];
  });
}

/** Every call is answered once, at once, and no id is used twice. */
function pairing(turns: readonly { calls?: string[]; results?: string[] }[]): string[] {
  const problems: string[] = [];
  const known = new Set<string>();
  let open = new Set<string>();
  for (const { calls = [], results = [] } of turns) {
    for (const id of results) if (!open.delete(id)) problems.push("A result has no call.");
    if (results.length === 0 || calls.length > 0) {
      if (open.size > 0) problems.push("A call has no result.");
      open = new Set(calls);
    }
    for (const id of calls) {
      if (known.has(id)) problems.push("Two calls have one id.");
      known.add(id);
    }
  }
  return open.size > 0 ? [...problems, "A call has no result."] : problems;
}

function systemFirst(messages: readonly { role: string }[]): string[] {
  const late = messages.slice(1).some(({ role }) => role === "system" || role === "developer");
  return late ? ["Instructions come after other messages."] : [];
}

function endsWithQuestion(last: string | undefined, allowed: readonly string[]): string[] {
  return allowed.includes(last ?? "") ? [] : ["The last message is an answer."];
}

function checked<Body>(
  schema: z.ZodType<Body>,
  body: unknown,
  rules: (body: Body) => string[],
): string[] {
  const parsed = schema.safeParse(body);
  if (parsed.success) return rules(parsed.data);
  return parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}.`);
}
