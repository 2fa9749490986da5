import type { SessionMessage, SessionMessagePart } from "grove-session";
import { isAnswered, isToolPart, toolNameOf } from "grove-session";
import { type CalledAs, calledAs } from "@/lib/chat/answering/program-call";
import type { GroveMetadata } from "@/lib/chat/wire/messages";
import { canonicalJson } from "@/lib/text/canonical-json";
import { fileContent } from "./item-files";
import { argumentsOf, argumentsText, type ConversationMessage, instructionOf } from "./items";
import { customInput } from "./program-tools";
import { chunksOf, type JsonRecord, ResponseWriter, toolError } from "./response-writer";

export function itemsOf(message: SessionMessage): JsonRecord[] {
  const { id, role, parts } = message;
  const status = (message.metadata as GroveMetadata | undefined)?.status;
  if (role === "assistant" && status !== undefined) return answerItems(message, status);
  if (role !== "assistant") {
    const entries = parts.flatMap((part): JsonRecord[] => {
      if (part.type === "text") return [{ type: "input_text", text: String(part.text ?? "") }];
      return [fileContent(part) ?? []].flat();
    });
    if (entries.length === 0) return [];
    const said = { role: instructionOf(message) ?? role, status: "completed", content: entries };
    return [{ id: `msg_${id}`, type: "message", ...said }];
  }
  if (parts.every(({ type }) => type === "text")) {
    const entries = parts.map(({ text }) => outputText(text));
    return [{ id: `msg_${id}`, type: "message", role, status: "completed", content: entries }];
  }
  return parts.flatMap((part, index) =>
    itemOfPart(part, parts.length === 1 ? id : `${id}_${index}`),
  );
}

/** Calls without a result are the program's own, others were run by Grove. */
function answerItems({ id, parts }: SessionMessage, status: string): JsonRecord[] {
  const asked = parts.filter((part) => isToolPart(part) && !isAnswered(part));
  const own = status === "complete" ? asked.map((part) => [toolNameOf(part), namesOf(part)]) : [];
  const writer = new ResponseWriter(id, new Map(own as [string, CalledAs][]));
  for (const chunk of chunksOf(parts)) writer.take(chunk);
  return [...writer.output];
}

function itemOfPart(part: SessionMessagePart, id: string): JsonRecord[] {
  const status = "completed";
  if (part.type === "text") {
    const content = [outputText(part.text)];
    return [{ id: `msg_${id}`, type: "message", role: "assistant", status, content }];
  }
  if (part.type === "reasoning") {
    const text = String(part.text ?? "");
    const summary = text ? [{ type: "summary_text", text }] : [];
    const { encryptedContent } = part;
    const encrypted = encryptedContent !== undefined && { encrypted_content: encryptedContent };
    return [{ id: `rs_${id}`, type: "reasoning", summary, ...encrypted }];
  }
  if (!isToolPart(part)) return [];
  const callId = String(part.toolCallId ?? "");
  const call = { name: toolNameOf(part), arguments: argumentsText(part.input) };
  const { isCustom, ...names } = namesOf(part);
  const own = { call_id: callId, ...names };
  if (!isAnswered(part) && isCustom) {
    const input = customInput(part.input);
    return [{ id: `ctc_${id}`, type: "custom_tool_call", ...own, input, status }];
  }
  if (!isAnswered(part)) {
    const given = { arguments: call.arguments, status };
    return [{ id: `fc_${id}`, type: "function_call", ...own, ...given }];
  }
  const error = part.state === "output-error" ? String(part.errorText ?? "") : null;
  const output = error ?? textOf(part.output);
  if (part.type === "dynamic-tool") {
    const [prefix, type] = isCustom
      ? ["ctco", "custom_tool_call_output"]
      : ["fco", "function_call_output"];
    return [{ id: `${prefix}_${id}`, type, call_id: callId, output, status }];
  }
  const isFailed = error !== null;
  const run = {
    server_label: "grove",
    status: isFailed ? "failed" : status,
    output: isFailed ? null : output,
    error: isFailed ? toolError(error) : null,
  };
  return [{ id: `mcp_${id}`, type: "mcp_call", ...call, ...run }];
}

function namesOf(part: SessionMessagePart): CalledAs {
  return calledAs.safeParse(part.calledAs).data ?? { name: toolNameOf(part) };
}

function outputText(text: unknown): JsonRecord {
  return { type: "output_text", text: String(text ?? ""), annotations: [], logprobs: [] };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

/** Many programs drop reasoning, and the white space around answers. */
export function itemKeys(message: ConversationMessage): string[] {
  return itemsOf({ ...message, id: "" }).flatMap((item) => {
    switch (item.type) {
      case "message": {
        const texts = (item.content as { text?: string; file_id?: string }[]).map(
          (entry) => entry.text ?? `${entry.file_id}`,
        );
        const text = item.role === "assistant" ? texts.join("").trim() : texts.join("\n");
        return [canonicalJson([item.role, text])];
      }
      case "function_call":
        return [canonicalJson(["call", item.call_id, item.name, argumentsOf(`${item.arguments}`)])];
      case "custom_tool_call":
        return [canonicalJson(["call", item.call_id, item.name, item.input])];
      case "function_call_output":
      case "custom_tool_call_output":
        return [canonicalJson(["result", item.call_id, item.output])];
      case "mcp_call":
        return [canonicalJson(["run", item.name, argumentsOf(`${item.arguments}`), item.output])];
      default:
        return [];
    }
  });
}

/** Instructions have no keys, since many programs write the time into theirs. */
export function historyKeys(message: ConversationMessage): string[] {
  return instructionOf(message) === null ? itemKeys(message) : [];
}

/** The number after an answer's id is that of the item. */
export function messageIdsOf(itemId: string): string[] {
  const id = itemId.replace(/^[a-z]+_/, "");
  return [...new Set([id.replace(/_\d+$/, ""), id])];
}
