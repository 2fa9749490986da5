import type { ExportFile, Piece, ToldChat, ToldMessage } from "./told-chat";

interface Year {
  /** A kind of content that Grove does not know. */
  readonly odd: string;
  /** System messages and custom instructions that no page shows. */
  readonly hasHidden?: boolean;
  /** Many files, and the chats of each in one. */
  readonly isNumbered?: boolean;
  /** Nodes name no parents, and messages have no metadata. */
  readonly hasChildrenAlone?: boolean;
}

/** A message is a row of nodes: each step of an answer is one. */
interface Step {
  readonly role: string;
  readonly content: unknown;
  readonly more?: object;
  readonly metadata?: object;
}

export const chatGpt =
  (year: Year) =>
  (chats: readonly ToldChat[]): readonly ExportFile[] => {
    const values = chats.map((chat) => chatOf(chat, year));
    if (!year.isNumbered) return [{ name: "conversations.json", text: JSON.stringify(values) }];
    return values.map((value, at) => {
      const name = `conversations-${String(at).padStart(3, "0")}.json`;
      return { name, text: JSON.stringify([value]) };
    });
  };

function chatOf(chat: ToldChat, { odd, hasHidden = false, hasChildrenAlone = false }: Year) {
  const nodes: Record<string, { id: string; parent?: string | null; children: string[] }> = {};
  const last = new Map<string | null, string>();
  const add = (id: string, parent: string | null, message: unknown) => {
    nodes[id] = { id, ...(!hasChildrenAlone && { parent }), children: [], ...{ message } };
    nodes[parent ?? ""]?.children.push(id);
  };
  add("client-created-root", null, null);
  last.set(null, "client-created-root");
  if (hasHidden) {
    const hidden = { is_visually_hidden_from_conversation: true };
    const step = {
      role: "system",
      content: { content_type: "text", parts: [""] },
      metadata: hidden,
    };
    add("hidden", "client-created-root", messageOf("hidden", { step, at: null }));
    last.set(null, "hidden");
  }
  for (const message of chat.messages) {
    let parent = last.get(message.parentId) ?? null;
    for (const [n, step] of stepsOf(message, odd).entries()) {
      const id = n === 0 ? message.id : `${message.id}-${n}`;
      const whole = messageOf(id, { step, at: message.at });
      add(
        id,
        parent,
        hasChildrenAlone && !step.metadata ? { ...whole, metadata: undefined } : whole,
      );
      parent = id;
    }
    last.set(message.id, parent ?? "");
  }
  return {
    title: chat.title,
    create_time: seconds(chat.createdAt),
    update_time: seconds(chat.updatedAt),
    mapping: nodes,
    moderation_results: [],
    current_node: last.get(chat.shownId),
    plugin_ids: null,
    conversation_id: chat.id,
    id: chat.id,
    conversation_template_id: null,
    gizmo_id: null,
    is_archived: false,
    safe_urls: [],
    default_model_slug: "gpt-4o",
  };
}

const seconds = (at: Date) => at.getTime() / 1_000;

function messageOf(id: string, { step, at }: { step: Step; at: Date | null }) {
  const { role, content, metadata = {}, more = {} } = step;
  return {
    id,
    author: { role, name: null, metadata: {} },
    create_time: at && seconds(at),
    update_time: null,
    content,
    status: "finished_successfully",
    end_turn: null,
    weight: 1,
    metadata: { ...metadata, ...(role === "assistant" && { model_slug: "gpt-4o" }) },
    recipient: "all",
    channel: null,
    ...more,
  };
}

function stepsOf({ role, pieces }: ToldMessage, oddKind: string): Step[] {
  if (role === "assistant") return pieces.flatMap((piece) => stepsOfPiece(piece, oddKind));
  const files = pieces.filter(({ kind }) => kind === "file");
  const attachments = files.map(({ word }) => ({
    id: `file-${word}`,
    name: `${word}.pdf`,
    size: 9,
  }));
  const images = files.map(({ word }) => ({
    content_type: "image_asset_pointer",
    asset_pointer: `sediment://file_${word}`,
    size_bytes: 9,
  }));
  const odd = pieces.filter(({ kind }) => kind === "odd");
  const texts = pieces.flatMap(({ kind, text }) => (kind === "text" ? [text] : []));
  const recordings = odd.map(({ word }) => ({
    content_type: "audio_asset_pointer",
    asset_pointer: `sediment://${word}`,
  }));
  const isPlain = files.length + odd.length === 0;
  const content = isPlain
    ? { content_type: "text", parts: texts }
    : { content_type: "multimodal_text", parts: [...images, ...recordings, ...texts] };
  return [{ role, content, metadata: files.length > 0 ? { attachments } : {} }];
}

function stepsOfPiece({ kind, text }: Piece, oddKind: string): Step[] {
  const role = "assistant";
  const python = { author: { role: "tool", name: "python", metadata: {} } };
  switch (kind) {
    case "thought": {
      const thoughts = [{ summary: "Thinking", content: text, chunks: [], finished: true }];
      const recap = { content_type: "reasoning_recap", content: "Thought for 5s" };
      return [
        { role, content: { content_type: "thoughts", thoughts, source_analysis_msg_id: "x" } },
        { role, content: recap },
      ];
    }
    case "call":
      return [
        {
          role,
          content: { content_type: "code", language: "unknown", text },
          more: { recipient: "python" },
        },
        { role: "tool", content: { content_type: "execution_output", text: "4" }, more: python },
      ];
    case "failed":
      return [
        { role, content: { content_type: "code", text: "1/0" }, more: { recipient: "python" } },
        { role, content: { content_type: "system_error", name: "Error", text }, more: python },
      ];
    case "odd":
      return [{ role, content: { content_type: oddKind, state: { title: text } } }];
    case "text":
    case "file":
    case "held":
      return [{ role, content: { content_type: "text", parts: [text] } }];
  }
}
