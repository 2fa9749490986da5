import { answerMessage } from "@/lib/chat/answering/send-message";
import { compactSession } from "@/lib/chat/compaction/compact-session";
import { makingOnce } from "@/lib/chat/core/making";
import { redPixel } from "@/lib/chat/files/testing/small-files";
import { completionRequest, completionTurn } from "@/lib/chat/programs/chat-completions";
import { answerTurn } from "@/lib/chat/programs/history-turn";
import { textOf } from "@/lib/chat/testing/chat-fixture";
import { randomHistory } from "@/lib/chat/testing/random-history";
import { filePart } from "@/lib/chat/wire/files";
import { type GroveMessage, startRunRequest } from "@/lib/chat/wire/messages";
import { Random } from "@/lib/text/testing/random";
import type { DialectChat } from "./dialect-chat";
import { type Reply, type ServedCase, words } from "./dialect-server";

export interface Situation {
  readonly name: string;
  readonly replies: readonly Reply[];
  /** The program's own tools: a server that takes none refuses them to it, in its words. */
  readonly needsTools?: true;
  /** @returns the answer to its last question, which has to be whole. */
  act(chat: DialectChat, served: ServedCase, seed: number): Promise<GroveMessage | null>;
}

export const situations: readonly Situation[] = [
  { name: "first message", replies: [], act: (chat) => chat.ask("Hello", { newSession: {} }) },
  {
    name: "tools",
    replies: ["call", "answer", "call"],
    act: async (chat) => {
      await chat.ask("Look it up");
      return chat.ask("And again");
    },
  },
  {
    name: "two calls at once",
    replies: ["two calls", "answer"],
    act: async (chat) => {
      const answer = await chat.ask("Look both up");
      const calls = answer?.parts.filter(({ type }) => type === "tool-search_chats") ?? [];
      if (calls.length === 1) throw new Error("One of two calls is lost.");
      return chat.ask("And again");
    },
  },
  {
    name: "images",
    replies: [],
    act: async (chat) => {
      await chat.ask("See", { parts: [{ type: "text", text: "See" }, await picture(chat)] });
      return chat.ask("And?");
    },
  },
  {
    name: "thoughts",
    replies: ["thought", "thought and call", "thought"],
    act: async (chat) => {
      await chat.ask("Think");
      await chat.ask("Think and look");
      return chat.ask("And?");
    },
  },
  {
    name: "thoughts alone, and nothing at all",
    replies: ["thoughts only", "nothing"],
    act: async (chat) => {
      await chat.ask("Think");
      await chat.ask("Say nothing");
      return chat.ask("And?");
    },
  },
  {
    name: "stop before the first word",
    replies: ["silence"],
    act: (chat, served) => askAfterStop(chat, served),
  },
  {
    name: "stop after some words",
    replies: ["words and silence"],
    act: (chat, served) => askAfterStop(chat, served),
  },
  {
    name: "stop after a call",
    replies: ["call", "silence"],
    act: (chat, served) => askAfterStop(chat, served),
  },
  {
    name: "going on after a stop",
    replies: ["words and silence"],
    act: goOnAfterStop,
  },
  {
    name: "failure",
    replies: ["failure", "half"],
    act: async (chat) => {
      await chat.ask("Fail");
      await chat.ask("Break off");
      return chat.ask("And?");
    },
  },
  {
    name: "question stored without answer",
    replies: [],
    act: async (chat) => {
      await chat.ask("One", { generate: false });
      await chat.ask("Two", { generate: false });
      return chat.ask("Three");
    },
  },
  {
    name: "deleted answer",
    replies: [],
    act: async (chat) => {
      const answer = await chat.ask("One");
      const messages = chat.owner.store.messages(chat.sessionId);
      await messages.deleteMessages([answer?.id ?? ""]);
      return chat.ask("Two");
    },
  },
  { name: "summary", replies: [], act: askAfterSummary },
  { name: "summary by the model", replies: [], act: askAfterOwnSummary },
  { name: "long history", replies: [], act: askAfterHistory },
  {
    name: "several at once",
    replies: [],
    act: async (chat) => {
      const { info } = await chat.model();
      const together = [1, 2, 3].map(() => ({ answerId: crypto.randomUUID(), model: info.ref }));
      await chat.ask("All of you", { together });
      return chat.ask("And?");
    },
  },
  { name: "broken characters", replies: [], act: (chat) => chat.ask("half \ud83d and \0 NUL") },
  { name: "`/v1` in front", replies: [], act: (chat) => askOverV1(chat, twoQuestions) },
  {
    name: "`/v1` with a program's tools",
    replies: [],
    needsTools: true,
    act: (chat) => askOverV1(chat, { ...twoQuestions, tools: [programTool] }),
  },
  {
    name: "`/v1` after a program's calls",
    replies: [],
    act: (chat) => askOverV1(chat, afterCalls),
  },
];

const twoQuestions = {
  messages: [
    { role: "system", content: "Be calm." },
    { role: "user", content: "One" },
    { role: "user", content: "Two" },
  ],
};

const programTool = {
  type: "function",
  function: {
    name: "find",
    description: "Finds.",
    parameters: { type: "object", properties: { of: { type: "string", pattern: "\\S" } } },
  },
};

/** A program may send earlier calls without offering their tools. */
const afterCalls = {
  messages: [
    { role: "user", content: "Find it" },
    {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "call_of-it-1", type: "function", function: { name: "find", arguments: "{}" } },
      ],
    },
    { role: "tool", tool_call_id: "call_of-it-1", content: "" },
    { role: "assistant", content: "Found." },
    { role: "user", content: "And?" },
  ],
};

async function picture({ owner }: DialectChat) {
  return filePart({ ...(await owner.files.put(redPixel)), name: "pixel.png" });
}

async function askAfterStop(chat: DialectChat, served: ServedCase): Promise<GroveMessage | null> {
  const [run = ""] = await chat.send("Wait");
  const ended = chat.process.ended(run);
  await Promise.race([served.holding, ended]);
  await chat.process.runner.stop(chat.owner, run);
  await ended;
  return chat.ask("And?");
}

async function goOnAfterStop(chat: DialectChat): Promise<GroveMessage | null> {
  const [run = ""] = await chat.send("Wait");
  await chat.readsWords(run);
  await chat.process.runner.stop(chat.owner, run);
  await chat.process.ended(run);
  const path = await chat.owner.store.messages(chat.sessionId).getHistory();
  const parentId = path.at(-2)?.id ?? "";
  const request = { answerId: crypto.randomUUID(), parentId, continues: run };
  const parsed = startRunRequest.parse(request);
  const { id } = await answerMessage(chat.answering, chat.sessionId, parsed);
  await chat.process.ended(id);
  return chat.message(id);
}

async function askAfterOwnSummary(chat: DialectChat): Promise<GroveMessage | null> {
  for (const text of ["One", "Two", "Three"]) await chat.ask(text.repeat(2_000));
  const { owner, process, sessionId } = chat;
  const resolved = await chat.model();
  await compactSession({ owner, runner: process.runner }, { sessionId, resolved });
  return chat.ask("And?");
}

async function askAfterSummary(chat: DialectChat): Promise<GroveMessage | null> {
  for (const text of ["One", "Two", "Three"]) await chat.ask(text);
  const messages = chat.owner.store.messages(chat.sessionId);
  const path = await messages.getHistory();
  const [first, last] = [path[0], path.at(-1)];
  if (first && last) await messages.addCompaction("Summary of it.", first.id, last.id);
  return chat.ask("And?");
}

/** The history looks as another provider, an import and a person left it. */
async function askAfterHistory(
  chat: DialectChat,
  _: ServedCase,
  seed: number,
): Promise<GroveMessage | null> {
  await chat.ask("Before", { generate: false });
  const messages = chat.owner.store.messages(chat.sessionId);
  const session = await randomHistory(new Random(seed));
  for (const message of await session.getLatestMessages(100))
    await messages.appendMessage({ ...message, id: crypto.randomUUID() });
  return chat.ask("And?");
}

async function askOverV1(chat: DialectChat, request: object): Promise<GroveMessage | null> {
  const { owner, process } = chat;
  const key = {
    id: crypto.randomUUID(),
    name: "Program",
    hint: "1234",
    scopes: { canWrite: true, usesMemory: true, models: null, monthlyLimit: null },
    lastUsedAt: null,
    revokedAt: null,
    createdAt: new Date(),
    monthCost: 0,
  };
  const { temporary } = owner;
  const program = {
    ...{ key, owner, temporary, runner: process.runner },
    chooseModel: () => chat.model(),
    inBackground: (work: () => Promise<void>) => void work(),
    threadId: null,
    signal: new AbortController().signal,
    making: makingOnce(),
  };
  const turn = () => completionTurn(completionRequest.parse(request));
  const { run } = await answerTurn(program, turn);
  await process.ended(run.id);
  const messages = owner.store.messages(run.sessionId);
  return (await messages.getMessage(run.messageId)) as unknown as GroveMessage | null;
}

export function isAnswered(
  { needsTools }: Situation,
  { refusals }: Pick<ServedCase, "refusals">,
  answer: GroveMessage | null,
): boolean {
  if (answer === null) return false;
  const { status, error } = answer.metadata ?? {};
  const refusal = refusals.find(({ feature }) => feature === "tools");
  if (needsTools && refusal)
    return `${error?.message} ${error?.details}`.includes(refusal.message) && !error?.retryable;
  return status === "complete" && textOf(answer) === words;
}
