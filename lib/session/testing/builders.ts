import type { SessionMessage, SessionMessagePart } from "../message";
import type { SessionTreeProvider } from "../session-provider";

/** A message of the person; its text defaults to its id. */
export function user(id: string, text = id): SessionMessage {
  return { id, role: "user", parts: [{ type: "text", text }] };
}

/** A message of the model. The text defaults to the id; `parts` follow it. */
export function assistant(
  id: string,
  text = id,
  ...parts: readonly SessionMessagePart[]
): SessionMessage {
  return { id, role: "assistant", parts: [{ type: "text", text }, ...parts] };
}

/** A finished call of a static tool, as the AI SDK stores it. */
export function toolCall(toolName: string, input: unknown, output: unknown): SessionMessagePart {
  return {
    type: `tool-${toolName}`,
    toolCallId: `call-${toolName}`,
    state: "output-available",
    input,
    output,
  };
}

/** The call of `toolCall` as that of a dynamic tool. */
export function dynamicToolCall(
  toolName: string,
  input: unknown,
  output: unknown,
): SessionMessagePart {
  return { ...toolCall(toolName, input, output), type: "dynamic-tool", toolName };
}

/** Reads an iterator to its end, as `Array.fromAsync` does, which Node 20 lacks. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** Ids of messages, to compare lists by. */
export function ids(messages: readonly Pick<SessionMessage, "id">[]): string[] {
  return messages.map((message) => message.id);
}

/** The first message goes under `parentId` (omitted: the active leaf). */
export async function appendChain(
  provider: SessionTreeProvider,
  messages: readonly SessionMessage[],
  parentId?: string | null,
): Promise<void> {
  let parent = parentId;
  for (const message of messages) {
    await provider.appendMessage(message, parent);
    parent = message.id;
  }
}

/** Appends numbered messages whose roles alternate. */
export async function appendNumbered(provider: SessionTreeProvider, count: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  await appendChain(
    provider,
    numbers.map((n) => (n % 2 === 1 ? user(`m${n}`) : assistant(`m${n}`))),
  );
}
