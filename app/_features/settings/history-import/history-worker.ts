import { chatRecords, enclosingLines, filesOf } from "@/lib/history/chat-records";
import { type Found, readFiles } from "@/lib/history/read-files";
import type { SessionMessagePart } from "@/lib/session";
import type { Answer, FoundChat, Question } from "./worker-messages";

// Reads exports beside the page: one of a gigabyte takes a minute, and never more memory than its largest chat.

const batchChats = 1_000;
const batchCharacters = 24_000_000;
const progressMs = 100;

type Asked = Exclude<Question, { type: "read" | "convert" }>;

/** Takes the reply to the last message that waits for one. */
let answered: (question: Asked) => void = () => undefined;

const answer = (message: Answer) => postMessage(message);

addEventListener("message", ({ data }: MessageEvent<Question>) => {
  const failed = (error: unknown) =>
    answer({ type: "failed", message: error instanceof Error ? error.message : String(error) });
  if (data.type === "read") read(data.files).catch(failed);
  else if (data.type === "convert") convert(data.files, new Set(data.ids)).catch(failed);
  else answered(data);
});

function asked(message: Answer): Promise<Asked> {
  return new Promise((done) => {
    answered = done;
    answer(message);
  });
}

async function read(files: readonly File[]): Promise<void> {
  let chats: FoundChat[] = [];
  let problems: Extract<Found, { type: "problem" }>[] = [];
  const instructions = new Set<string>();
  const known = new Set<string>();
  let share = 0;
  let saidAt = 0;
  const say = () => {
    answer({ type: "found", share, chats, problems });
    chats = [];
    problems = [];
    saidAt = performance.now();
  };
  const onProgress = (given: number) => {
    share = given;
  };
  for await (const found of readFiles(files, { onProgress })) {
    if (found.type === "problem") problems.push(found);
    else if (found.type === "instructions") for (const each of found.texts) instructions.add(each);
    else {
      for (const each of found.chat.instructions) instructions.add(each);
      const chat = foundChat(found);
      if (!chat) {
        const name = found.chat.title || "Untitled chat";
        problems.push({ type: "problem", name, message: "It holds no messages." });
      } else if (!known.has(chat.id)) chats.push(chat);
      if (chat) known.add(chat.id);
    }
    if (performance.now() - saidAt > progressMs) say();
  }
  share = 1;
  say();
  answer({ type: "read", instructions: [...instructions] });
}

function foundChat({ chat, has }: Extract<Found, { type: "chat" }>): FoundChat | null {
  // Opened when it is imported.
  const records = chatRecords(chat, (file) => (has(file) ? { type: "file" } : null));
  if (!records) return null;
  const { id, title, messages, branches, losses } = records;
  const updatedAt = (chat.updatedAt ?? chat.createdAt)?.toISOString() ?? null;
  return { id, title, product: chat.product, updatedAt, messages, branches, losses };
}

/** Parts by the ids of files in the export; one at a time, since each may have 25 MB. */
async function storedParts({
  chat,
  open,
}: Extract<Found, { type: "chat" }>): Promise<Map<string, SessionMessagePart>> {
  const parts = new Map<string, SessionMessagePart>();
  for (const { id, name } of filesOf(chat)) {
    const blob = await open({ id, name });
    const reply = blob && (await asked({ type: "file", name: name || id, blob }));
    if (reply?.type === "stored" && reply.part) parts.set(id, reply.part);
  }
  return parts;
}

/** Waits after each batch until the page asks for the next. */
async function convert(files: readonly File[], wanted: Set<string>): Promise<void> {
  let lines: string[] = [];
  let ids: string[] = [];
  let characters = 0;
  const send = async () => {
    if (ids.length === 0) return;
    const { header, end } = enclosingLines(ids.length, new Date());
    const file = new Blob([[header, ...lines, end, ""].join("\n")]);
    const sent = ids;
    [lines, ids, characters] = [[], [], 0];
    await asked({ type: "batch", ids: sent, file });
  };
  for await (const found of readFiles(files)) {
    if (found.type !== "chat") continue;
    const { id } = chatRecords(found.chat, () => null) ?? {};
    if (id === undefined || !wanted.delete(id)) continue;
    const parts = await storedParts(found);
    const records = chatRecords(found.chat, (file) => parts.get(file.id) ?? null);
    if (!records) continue;
    ids.push(records.id);
    for (const line of records.lines) {
      lines.push(line);
      characters += line.length;
    }
    if (ids.length >= batchChats || characters >= batchCharacters) await send();
  }
  await send();
  answer({ type: "converted" });
}
