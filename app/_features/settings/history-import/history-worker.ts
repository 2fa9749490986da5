import type { SessionMessagePart } from "grove-session";
import { chatRecords, enclosingLines, filesOf, idHere } from "@/lib/history/chat-records";
import { FoundChats } from "@/lib/history/found-chats";
import { type Found, readFiles } from "@/lib/history/read-files";
import type { WorkerReply, WorkerRequest } from "./history-import";

// An export of a gigabyte takes a minute, and never more memory than its largest chat.

const batchChats = 1_000;
const batchCharacters = 24_000_000;
const progressMs = 100;

type PendingReply = Exclude<WorkerRequest, { type: "read" | "convert" }>;

let answered: (question: PendingReply) => void = () => undefined;

const answer = (message: WorkerReply) => postMessage(message);

addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => {
  const failed = (error: unknown) =>
    answer({ type: "failed", message: error instanceof Error ? error.message : String(error) });
  if (data.type === "read") read(data.files).catch(failed);
  else if (data.type === "convert") convert(data.files, new Set(data.ids)).catch(failed);
  else answered(data);
});

function asked(message: WorkerReply): Promise<PendingReply> {
  return new Promise((done) => {
    answered = done;
    answer(message);
  });
}

async function read(files: readonly File[]): Promise<void> {
  const found = new FoundChats();
  let share = 0;
  let saidAt = 0;
  const say = () => {
    answer({ type: "found", share, ...found.take() });
    saidAt = performance.now();
  };
  const onProgress = (given: number) => {
    share = given;
  };
  for await (const each of readFiles(files, { onProgress })) {
    found.add(each);
    if (performance.now() - saidAt > progressMs) say();
  }
  found.end();
  share = 1;
  say();
  answer({ type: "read", instructions: [...found.instructions] });
}

/** Each file may have 25 MB, so one at a time. */
async function storedParts({
  chat,
  open,
}: Extract<Found, { type: "chat" }>): Promise<Map<string, SessionMessagePart>> {
  const parts = new Map<string, SessionMessagePart>();
  for (const file of filesOf(chat)) {
    const blob = await open(file);
    const reply = blob && (await asked({ type: "file", name: file.name || file.id, blob }));
    if (reply?.type === "stored" && reply.part) parts.set(file.id, reply.part);
  }
  return parts;
}

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
    if (!wanted.has(idHere(found.chat))) continue;
    const parts = await storedParts(found);
    const records = chatRecords(found.chat, (file) => parts.get(file.id) ?? null);
    if (!records) continue;
    wanted.delete(records.id);
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
