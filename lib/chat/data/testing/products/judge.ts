import { type ChatRecords, chatRecords, filesOf } from "@/lib/history/chat-records";
import { lostKind } from "@/lib/history/foreign-chat";
import { FoundChats } from "@/lib/history/found-chats";
import { readFiles } from "@/lib/history/read-files";
import type { Random } from "@/lib/text/testing/random";
import type { Product } from "./product-table";
import {
  type ExportFile,
  type Piece,
  type ToldChat,
  type ToldMessage,
  toldChats,
} from "./told-chat";

export interface Told {
  readonly product: Product;
  readonly chats: readonly ToldChat[];
  readonly files: readonly ExportFile[];
}

export function toldExport(
  product: Product,
  random: Random,
  { isTakenWhole = false }: { isTakenWhole?: boolean } = {},
): Told {
  const { hasBranches = false, isPlain = false, isSingle = false } = product;
  const holds = product.holds.filter((kind) => !isTakenWhole || !leftOut.includes(kind));
  const all = toldChats(random, { holds, hasBranches, isPlain });
  const chats = isSingle ? all.slice(0, 1) : all;
  return { product, chats, files: product.write(chats, random) };
}

/** Chats as lines for Grove, and the report, as the page makes them of files. */
export interface Read {
  readonly records: readonly ChatRecords[];
  readonly instructions: readonly string[];
  readonly problems: readonly string[];
  /** Contents of files that the chats hold themselves. */
  readonly held: readonly string[];
}

const modifiedAt = Date.UTC(2025, 8, 1);

export async function readAsPage(files: readonly File[]): Promise<Read> {
  const found = new FoundChats();
  const records: ChatRecords[] = [];
  const held: string[] = [];
  for await (const each of readFiles(files)) {
    const chat = found.add(each);
    if (each.type !== "chat" || !chat) continue;
    for (const file of filesOf(each.chat)) held.push((await (await each.open(file))?.text()) ?? "");
    const read = chatRecords(each.chat, (file) =>
      each.has(file)
        ? { type: "file", url: `grove-file:${"0".repeat(64)}`, mediaType: "image/png" }
        : null,
    );
    if (read) records.push(read);
  }
  found.end();
  const problems = found.take().problems.map(({ name, message }) => `${name}: ${message}`);
  return { records, instructions: [...found.instructions], problems, held };
}

export function fileNamed({ name }: ExportFile, bytes: Uint8Array): File {
  return new File([bytes as Uint8Array<ArrayBuffer>], name, { lastModified: modifiedAt });
}

/** Every word, branch, time and loss of an export as its product makes it. @returns a sentence for each difference. */
export function differencesOf({ product, chats }: Told, read: Read): string[] {
  const broken = read.problems.map((problem) => `It reports ${problem}`);
  if (read.records.length !== chats.length) broken.push(`${read.records.length} chats were read.`);
  for (const [at, chat] of chats.entries()) {
    const records = read.records.find(({ id }) => id === chat.id) ?? read.records[at];
    if (records) broken.push(...chatDifferences(chat, { product, records, held: read.held }));
  }
  return broken;
}

interface Line {
  readonly type: string;
  readonly id: string;
  readonly title: string;
  readonly parentId: string | null;
  readonly role: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly activeLeafId: string;
  readonly content: { readonly parts: readonly Record<string, unknown>[] };
}

function chatDifferences(
  chat: ToldChat,
  { product, records, held }: { product: Product; records: ChatRecords; held: readonly string[] },
): string[] {
  const lines = records.lines.map((line) => JSON.parse(line) as Line);
  const [session] = lines;
  const said = lines.filter(({ type }) => type === "message");
  const { hasIds = true, hasTimes = true } = product;
  const broken: string[] = [];
  const check = (isRight: boolean | undefined, what: string) => isRight || broken.push(what);
  check(session?.title === chat.title, `The title is ${session?.title}.`);
  check(!hasIds || session?.id === chat.id, `The id is ${session?.id}.`);
  check(
    said.length === chat.messages.length,
    `${said.length} of ${chat.messages.length} messages.`,
  );
  for (const message of chat.messages) {
    const here = said.find(({ content }) => holds(content, ownWord(message)));
    check(
      here?.role === message.role,
      `${message.role} message ${ownWord(message)} is ${here?.role}.`,
    );
    const parent = said.find(({ id }) => id === here?.parentId);
    const told = chat.messages.find(({ id }) => id === message.parentId);
    const isUnder = told ? holds(parent?.content, ownWord(told)) : parent === undefined;
    check(isUnder, `Message ${ownWord(message)} is under another one.`);
    const time = hasTimes ? message.at : new Date(modifiedAt);
    check(
      here?.createdAt.slice(0, 19) === time.toISOString().slice(0, 19),
      `At ${here?.createdAt}.`,
    );
    for (const piece of message.pieces) {
      const isKept = isTaken(piece, { product, here, held, losses: records.losses });
      check(
        isKept,
        `${piece.kind} ${JSON.stringify(piece.text)} is missing in ${JSON.stringify(here)}`,
      );
    }
  }
  const shown = chat.messages.find(({ id }) => id === chat.shownId);
  const open = said.find(({ id }) => id === session?.activeLeafId);
  check(
    product.hidesOpen || !shown || holds(open?.content, ownWord(shown)),
    "Another branch is shown.",
  );
  const isDated =
    product.isSingle || Date.parse(session?.updatedAt ?? "") === Number(chat.updatedAt);
  check(isDated, `It was changed at ${session?.updatedAt}.`);
  const untimed = records.losses.some(isUntimed);
  check(untimed === !hasTimes, `Missing times: ${untimed}.`);
  const hasLosses = chat.messages.some(({ pieces }) => pieces.some(isLeftOut)) || untimed;
  check(hasLosses || records.losses.length === 0, `It says ${records.losses.join(" ")}`);
  return broken;
}

const isUntimed = (loss: string) => loss.startsWith("It holds no times");

const leftOut: readonly Piece["kind"][] = ["odd", "file"];
const isLeftOut = ({ kind }: Piece) => leftOut.includes(kind);

/** Each message ends with a text, whose word names it. */
const ownWord = ({ pieces }: ToldMessage) => pieces.at(-1)?.word ?? "";

const holds = (content: unknown, word: string) => (JSON.stringify(content) ?? "").includes(word);

function isTaken(
  { kind, word, text }: Piece,
  given: {
    readonly product: Product;
    readonly here: Line | undefined;
    readonly held: readonly string[];
    readonly losses: readonly string[];
  },
): boolean {
  const { product, here, held, losses } = given;
  const ofType = (pattern: RegExp) =>
    here?.content.parts.filter(({ type }) => pattern.test(String(type))) ?? [];
  switch (kind) {
    case "text":
      return ofType(/^text$/).some((part) => plain(String(part.text)).includes(plain(text)));
    case "thought":
      return ofType(/^reasoning$/).some((part) => String(part.text).includes(word));
    case "call":
    case "failed":
      return ofType(/^dynamic-tool$/).some((part) => holds(part, word));
    case "held":
      return held.some((content) => content.includes(word)) && ofType(/^file$/).length > 0;
    case "file":
      return (
        holds(here?.content, word) || losses.some((loss) => loss.includes("not in the export"))
      );
    case "odd":
      return losses.some((loss) => loss === lostKind(product.odd) || loss.includes("Recordings"));
  }
}

/** Removes marks of sources and differences that no export keeps. */
function plain(text: string): string {
  return text
    .replace(/\uE200.*?\uE201/g, "")
    .replace(/\r\n/g, "\n")
    .toWellFormed()
    .trim();
}

/**
 * Words of a damaged export that are neither in what was read nor excused by a report, which excuses the chats it is about;
 * `null` when that is all of them.
 */
export function lostWords(
  { chats }: Told,
  files: readonly Uint8Array[],
  read: Read,
): readonly string[] | null {
  if (read.problems.length > 0) return null;
  const reported = read.records.filter(({ losses }) => losses.some((loss) => !isUntimed(loss)));
  const excused = JSON.stringify(reported);
  // A chat may have lost all of its words.
  const isExcused = (chat: ToldChat) =>
    [chat.id, chat.title, ...wordsIn(chat)].some((name) => excused.includes(name));
  const judged = chats.filter((chat) => !isExcused(chat));
  if (judged.length === 0) return null;
  const texts = files.map((bytes) => parsable(new TextDecoder().decode(bytes))).join();
  const kept = JSON.stringify([read.records, read.instructions, read.held]);
  // A word alone may be an id.
  return judged
    .flatMap(wordsIn)
    .filter((word) => texts.includes(`${word} said`) && !kept.includes(word));
}

const wordsIn = ({ messages }: ToldChat) =>
  messages.flatMap(({ pieces }) => pieces.map(({ word }) => word));

/** The export as a parser sees it: of a name that an object holds twice, the first value is lost. */
function parsable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
}
