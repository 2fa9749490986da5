import type { GroveMetadata } from "@/lib/chat/wire/messages";
import type { SessionMessage, SessionMessagePart } from "@/lib/session";
import { canonicalJson, isAnswered, isToolPart, toolNameOf } from "@/lib/session/internal";
import { fileContent } from "./item-files";
import { argumentsOf, argumentsText, instructionOf, type ListedMessage } from "./items";
import { chunksOf, type JsonRecord, ResponseWriter, toolError } from "./response-writer";

/** The items a stored message reads as. Those of an answer have the ids of its response. */
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
  const asked = parts.filter((part) => isToolPart(part) && !isAnswered(part)).map(toolNameOf);
  const writer = new ResponseWriter(id, status === "complete" ? asked : []);
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
  if (!isAnswered(part))
    return [{ id: `fc_${id}`, type: "function_call", call_id: callId, ...call, status }];
  const error = part.state === "output-error" ? String(part.errorText ?? "") : null;
  const output = error ?? textOf(part.output);
  if (part.type === "dynamic-tool")
    return [{ id: `fco_${id}`, type: "function_call_output", call_id: callId, output, status }];
  const isFailed = error !== null;
  const run = {
    server_label: "grove",
    status: isFailed ? "failed" : status,
    output: isFailed ? null : output,
    error: isFailed ? toolError(error) : null,
  };
  return [{ id: `mcp_${id}`, type: "mcp_call", ...call, ...run }];
}

function outputText(text: unknown): JsonRecord {
  return { type: "output_text", text: String(text ?? ""), annotations: [], logprobs: [] };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

/**
 * Equal for messages that read the same to a program, one key for each item. Reasoning has none, since many programs
 * drop it; they also drop the white space around answers.
 */
export function itemKeys(message: ListedMessage): string[] {
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
      case "function_call_output":
        return [canonicalJson(["result", item.call_id, item.output])];
      case "mcp_call":
        return [canonicalJson(["run", item.name, argumentsOf(`${item.arguments}`), item.output])];
      default:
        return [];
    }
  });
}

/** Ids of the messages that may hold an item: the number after an answer's is that of the item. */
export function messageIdsOf(itemId: string): string[] {
  const id = itemId.replace(/^[a-z]+_/, "");
  return [...new Set([id.replace(/_\d+$/, ""), id])];
}
