import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { SessionMessage } from "grove-session";
import type { PostgresSessionStore } from "grove-session/postgres";
import type { Browser } from "playwright";
import { withBrowser } from "@/lab/browser";
import { randomNumbers } from "@/lib/text/testing/random";
import { type BenchApp, type BenchOptions, onBenchApp } from "./bench-app";
import { percentile } from "./interleave";
import { atRest, notesOf, onPage } from "./measured-page";
import {
  formattedText,
  liveTranscript,
  longest,
  type PageNotes,
  wordOfAnswer,
} from "./page-readings";
import { sampleMessage, sampleText, wordOf } from "./seed";

/** Milliseconds are medians. */
export type ChatPageFigures = Awaited<ReturnType<typeof chatPageBench>>;

interface ChatPageOptions extends BenchOptions {
  readonly rounds: number;
}

const slowdown = 4;
const chatMessages = 100;
const heavyBytes = 40_000;
const longLength = 1_000;
const streamSeconds = 20;

/** The page as a person uses it: a new chat, a usual one, and one that ends in a long answer. */
export async function chatPageBench(options: ChatPageOptions) {
  return onBenchApp(options, { seed }, (app, seeded) =>
    withBrowser((browser) => measure({ ...app, ...options, ...seeded, browser })),
  );
}

interface Seeded {
  readonly chatId: string;
  readonly heavyId: string;
  readonly longIds: Readonly<Record<"messages" | "callsOfOneAnswer" | "callsOfMany", string>>;
}

async function seed(store: PostgresSessionStore): Promise<Seeded> {
  const begin = async (title: string, messages: number, ending?: string) => {
    const { id } = await store.sessions.create(title);
    const session = store.messages(id);
    const random = randomNumbers(messages);
    for (let n = 0; n < messages; n++) {
      const message = sampleMessage(random, n);
      const text =
        n === messages - 1 && ending !== undefined
          ? ending
          : formattedText(n, sampleText(random, 400));
      const isAnswer = message.role === "assistant";
      await session.appendMessage(
        isAnswer ? { ...message, parts: [{ type: "text", text }] } : message,
      );
    }
    return id;
  };
  const long = Array.from({ length: 200 }, (_, n) =>
    formattedText(n, sampleText(randomNumbers(n), 400)),
  );
  const heavy = long.join("\n\n").slice(0, heavyBytes);
  const beginWith = async (title: string, answers: readonly SessionMessage["parts"][]) => {
    const { id } = await store.sessions.create(title);
    const session = store.messages(id);
    await session.appendMessage(sampleMessage(randomNumbers(1), 0));
    for (const parts of answers)
      await session.appendMessage({ id: crypto.randomUUID(), role: "assistant", parts });
    return id;
  };
  const calls = Array.from({ length: longLength }, (_, n) => call(n));
  return {
    heavyId: await begin("A long answer", 6, heavy),
    chatId: await begin("A usual chat", chatMessages),
    longIds: {
      messages: await begin("A long chat", longLength),
      callsOfOneAnswer: await beginWith("One answer of many calls", [calls]),
      callsOfMany: await beginWith(
        "Many answers of one call",
        calls.map((part) => [part]),
      ),
    },
  };
}

/** A command and some of its output, in the form of coding agents. */
function call(n: number): SessionMessage["parts"][number] {
  return {
    type: "dynamic-tool",
    toolName: "bash",
    toolCallId: `call-${n}`,
    state: "output-available",
    input: { command: `npm test -- ${wordOf(n)}` },
    output: sampleText(randomNumbers(n), 400),
  };
}

interface Place extends BenchApp, ChatPageOptions, Seeded {
  readonly browser: Browser;
}

async function measure(place: Place) {
  const { say, chatId, heavyId, longIds, grove } = place;
  // The first requests compile and connect; that is measured elsewhere.
  for (const id of [chatId, heavyId, ...Object.values(longIds)]) await opened(place, id);
  await newChat(place, { slowdown: 1, words: 5 });
  say("Beginning chats.");
  const atFullSpeed: number[] = [];
  const slowed: number[] = [];
  await times(place, async () => {
    atFullSpeed.push((await newChat(place, { slowdown: 1, words: 5 })).firstWordMs);
    slowed.push((await newChat(place, { slowdown, words: 5 })).firstWordMs);
  });
  say(`Reading an answer in a new chat for ${streamSeconds} seconds.`);
  const stream = await newChat(place, { slowdown, words: streamSeconds * 50 });
  say("Opening chats.");
  const chats: PageNotes[] = [];
  const heavies: PageNotes[] = [];
  const long = { messages: [], callsOfOneAnswer: [], callsOfMany: [] } as Record<
    keyof Seeded["longIds"],
    PageNotes[]
  >;
  await times(place, async () => {
    chats.push(await opened(place, chatId));
    heavies.push(await opened(place, heavyId));
    long.messages.push(await opened(place, longIds.messages));
    long.callsOfOneAnswer.push(await opened(place, longIds.callsOfOneAnswer));
    long.callsOfMany.push(await opened(place, longIds.callsOfMany));
  });
  const rendered: number[] = [];
  for (let n = 0; n < 10 * place.rounds; n++) {
    const startedAt = performance.now();
    await (await fetch(`${grove.address}/s/${chatId}`)).text();
    rendered.push(performance.now() - startedAt);
  }
  const median = (all: readonly PageNotes[], of: (notes: PageNotes) => number) =>
    percentile(all.map(of), 0.5);
  return {
    slowdown,
    chatMessages,
    firstWordMs: { atFullSpeed: percentile(atFullSpeed, 0.5), slowed: percentile(slowed, 0.5) },
    newChatStream: { longestTask: longest(stream.notes.longTasks), shift: stream.notes.shift },
    chat: {
      renderMs: percentile(rendered, 0.5),
      liveMs: median(chats, ({ liveMs }) => liveMs),
      ...(await loaded(place)),
    },
    long: {
      length: longLength,
      messagesMs: median(long.messages, ({ liveMs }) => liveMs),
      callsOfOneAnswerMs: median(long.callsOfOneAnswer, ({ liveMs }) => liveMs),
      callsOfManyMs: median(long.callsOfMany, ({ liveMs }) => liveMs),
    },
    heavyEnd: {
      bytes: heavyBytes,
      firstMessageMs: median(heavies, ({ firstMessageMs }) => firstMessageMs),
      liveMs: median(heavies, ({ liveMs }) => liveMs),
      shift: Math.max(...heavies.map(({ shift }) => shift)),
    },
  };
}

async function times({ rounds, signal }: Place, act: () => Promise<void>): Promise<void> {
  for (let n = 0; n < rounds; n++) {
    signal.throwIfAborted();
    await act();
  }
}

async function newChat(
  place: Place,
  { slowdown: rate, words }: { readonly slowdown: number; readonly words: number },
): Promise<{ readonly firstWordMs: number; readonly notes: PageNotes }> {
  place.model.pace = { words, pauseMs: 20, word: wordOfAnswer };
  return onPage({ ...place, path: "/", rate }, async (page) => {
    const composer = page.getByRole("textbox", { name: "Message", exact: true });
    await composer.fill("Which words are there?");
    await atRest(page);
    await page.evaluate(watchAnswer);
    await composer.press("Enter");
    // Waiting for an element would search the page again and again, at the expense of what is measured.
    const firstWordMs = await page.evaluate<number>("window.firstWord");
    await page.evaluate("window.wholeAnswer");
    return { firstWordMs, notes: await notesOf(page) };
  });
}

/** Sets promises: of the milliseconds until the first word is painted, and of the stored answer. */
const watchAnswer = `(() => {
  Object.assign(window.pageNotes, { longTasks: [], shift: 0 });
  let pressedAt = 0;
  addEventListener("keydown", (event) => { pressedAt ||= event.timeStamp; }, { capture: true, once: true });
  const frames = (until) => new Promise((done) => {
    const look = () => requestAnimationFrame(until() ? done : look);
    look();
  });
  const answer = () => document.querySelector("article[aria-label^=Answer]");
  window.firstWord = frames(() => answer()?.querySelector(".prose")?.textContent).then(() => performance.now() - pressedAt);
  window.wholeAnswer = window.firstWord.then(() => frames(() => answer()?.ariaBusy === "false"));
})()`;

function opened(place: Place, sessionId: string): Promise<PageNotes> {
  return onPage({ ...place, path: `/s/${sessionId}`, rate: slowdown }, async (page) => {
    await page.locator(`${liveTranscript} article`).first().waitFor({ timeout: 60_000 });
    await atRest(page);
    return notesOf(page);
  });
}

async function loaded(place: Place): Promise<{ gzippedBytes: number; requests: number }> {
  return onPage({ ...place, path: `/s/${place.chatId}`, rate: 1 }, async (page, seen) => {
    await page.locator(`${liveTranscript} article`).first().waitFor({ timeout: 60_000 });
    await atRest(page);
    await delay(5_000);
    const scripts = [...new Set(seen)].filter((address) => /\/_next\/.*\.js\b/.test(address));
    const sizes = await Promise.all(
      scripts.map(async (address) => gzipSync(await (await fetch(address)).bytes()).length),
    );
    return { gzippedBytes: sizes.reduce((sum, size) => sum + size, 0), requests: seen.length };
  });
}
