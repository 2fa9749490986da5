import { createHash } from "node:crypto";
import type { SessionInfo } from "grove-session";
import { z } from "zod";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { followedIn, type KeysOf, type Repeated } from "./conversation-path";
import type { ConversationMessage } from "./items";
import { metadataSchema, type NewProgramSession, newProgramSession, type Program } from "./program";
import { workingFolderIn } from "./working-folder";

export const threadFields = {
  prompt_cache_key: z.string().nullish(),
  safety_identifier: z.string().nullish(),
  user: z.string().nullish(),
  metadata: metadataSchema.nullish(),
  client_metadata: z.record(z.string(), z.unknown()).nullish().catch(null),
};
type ThreadFields = { readonly [Name in keyof typeof threadFields]?: unknown };

/** Narrowest first: some programs send the session that a thread belongs to beside it. */
const kinds = ["thread", "conversation", "chat", "session"];
const kind = `(${kinds.join("|")})`;
const threadHeader = new RegExp(`^(?:x-)?(?:[a-z]+[-_])*${kind}(?:[-_](?:id|key|affinity))?$`, "i");
/** Metadata without “id” often classifies, as in `{ session: "evening" }`. */
const threadField = new RegExp(`^(?:[a-z]+[-_])*${kind}[-_]?id$`, "i");

export function threadInHeaders(headers: Iterable<[name: string, value: string]>): string | null {
  return narrowest(headers, threadHeader);
}

function narrowest(
  entries: Iterable<readonly [name: string, value: unknown]>,
  pattern: RegExp,
): string | null {
  const named = [...entries].flatMap(([name, value]) => {
    const [, found] = pattern.exec(name) ?? [];
    const isId = typeof value === "string" && value !== "" && value.length <= 200;
    return found && isId ? [{ rank: kinds.indexOf(found.toLowerCase()), value }] : [];
  });
  return named.toSorted((one, other) => one.rank - other.rank)[0]?.value ?? null;
}

function threadInFields({ metadata, client_metadata: ofClient }: ThreadFields): string | null {
  return narrowest(
    [...Object.entries(metadata ?? {}), ...Object.entries(ofClient ?? {})],
    threadField,
  );
}

export interface History {
  readonly messages: readonly ConversationMessage[];
  readonly keysOf: KeysOf;
  readonly instructions: readonly string[];
  readonly fields: ThreadFields;
}

export interface FoundThread {
  readonly info: SessionInfo;
  readonly followed: Repeated;
}

export interface NewThread {
  readonly info: null;
  readonly name: string;
  readonly from: number;
  readonly prompt: string;
  readonly history: History;
}

/** Requests for the same question within this time repeat it. */
const repeatedWithinMs = 10 * 60 * 1_000;
/** Some programs change the answers of a task that they go on with. */
const continuedWithinMs = 60 * 60 * 1_000;
const mostCandidates = 8;

/** The chat that the program named, otherwise the one with the same first message and answers. */
export async function threadOf(
  { key, owner, threadId }: Pick<Program, "key" | "owner" | "threadId">,
  history: History,
): Promise<FoundThread | NewThread> {
  const named = threadId ?? threadInFields(history.fields);
  const apart = apartIn(history.fields);
  const distinct = named === null ? [firstKey(history), ...apart] : ["", named];
  const name = digestOf([key.id, ...distinct]);
  const prompt = digestOf(history.instructions);
  const { last, newestFirst } = await chatsNamed(owner, name);
  const begun: NewThread = { info: null, name, from: last + 1, prompt, history };
  const open = newestFirst.filter(({ archivedAt }) => !archivedAt);
  const follow = (info: SessionInfo) => followedIn(owner, info.id, history);
  const [newest] = open;
  if (!newest) return begun;
  if (named !== null) return { info: newest, followed: await follow(newest) };
  const goesOn = history.messages.some(isSaidByModel);
  for (const info of goesOn ? open : []) {
    const followed = await follow(info);
    if (followed.found.some(isSaidByModel)) return { info, followed };
  }
  const within = goesOn ? continuedWithinMs : repeatedWithinMs;
  const isYoung = Date.now() - newest.updatedAt.getTime() < within;
  const isOfProgram = promptOf(newest) === prompt;
  return isYoung && isOfProgram ? { info: newest, followed: await follow(newest) } : begun;
}

export async function beginThread(
  program: Pick<Program, "owner" | "key">,
  { name, from, prompt, history }: NewThread,
  chat: Omit<NewProgramSession, "id" | "prompt" | "folder">,
): Promise<SessionInfo> {
  const { instructions, messages } = history;
  const folder = workingFolderIn([...instructions, ...messages.slice(0, 3).flatMap(textsOf)]);
  for (let number = from; ; number++) {
    const id = idOf(name, number);
    const made = await newProgramSession(program, { ...chat, id, prompt, folder }).catch(
      nullIfTaken,
    );
    if (made) return made;
  }
}

/** A deleted session keeps its id, since it can be restored. */
function nullIfTaken(error: unknown): null {
  if (error instanceof Error && "code" in error && error.code === "session-exists") return null;
  throw error;
}

function apartIn({ prompt_cache_key: cache, safety_identifier: person, user }: ThreadFields) {
  return [cache, person, user].filter((each) => typeof each === "string");
}

function firstKey({ messages, keysOf }: History): string {
  return (messages.map(keysOf).find((keys) => keys.length > 0) ?? []).join("\0");
}

function textsOf({ parts }: ConversationMessage): string[] {
  return parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
}

function isSaidByModel({ role, parts }: ConversationMessage): boolean {
  return role === "assistant" && parts.some(({ type }) => type !== "reasoning");
}

function idOf(name: string, number: number): string {
  return number === 0 ? name : `${name}-${number}`;
}

interface NamedChats {
  /** Highest number in their ids; -1 for none. */
  readonly last: number;
  readonly newestFirst: readonly SessionInfo[];
}

async function chatsNamed({ store }: OwnerData, name: string): Promise<NamedChats> {
  const read = new Map<number, Promise<SessionInfo | null>>();
  const chatAt = (number: number): Promise<SessionInfo | null> => {
    const known = read.get(number) ?? Promise.resolve(store.sessions.get(idOf(name, number)));
    read.set(number, known);
    return known;
  };
  const last = await lastNumber(chatAt);
  const numbers = Array.from({ length: mostCandidates }, (_, n) => last - n).filter((n) => n >= 0);
  const found = await Promise.all(numbers.map(chatAt));
  return { last, newestFirst: found.filter((info) => info !== null) };
}

/** The last number from 0 on, single gaps allowed; -1 for none. */
async function lastNumber(find: (number: number) => Promise<unknown>): Promise<number> {
  const exists = async (number: number) =>
    ((await find(number)) ?? (await find(number + 1))) !== null;
  if (!(await exists(0))) return -1;
  let [low, high] = [0, 1];
  while (await exists(high)) [low, high] = [high, high * 2];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await exists(middle)) low = middle;
    else high = middle;
  }
  return (await find(low + 1)) === null ? low : low + 1;
}

const withPrompt = z.object({ program: z.object({ prompt: z.string() }) });

function promptOf({ metadata }: SessionInfo): string | undefined {
  return withPrompt.safeParse(metadata).data?.program.prompt;
}

function digestOf(values: readonly string[]): string {
  return createHash("sha256").update(values.join("\0")).digest("hex").slice(0, 32);
}
