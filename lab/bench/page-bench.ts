import { setTimeout as delay } from "node:timers/promises";
import type { PostgresSessionStore } from "grove-session/postgres";
import type { Browser, Page } from "playwright";
import { withBrowser } from "@/lab/browser";
import { randomNumbers } from "@/lib/text/testing/random";
import { type BenchApp, type BenchOptions, onBenchApp } from "./bench-app";
import { percentile } from "./interleave";
import { atRest, notesOf, onPage, shownWhole } from "./measured-page";
import {
  hardTexts,
  keyPressP95,
  lastWord,
  liveTranscript,
  longest,
  type PageNotes,
  wordOfAnswer,
} from "./page-readings";
import { sampleMessage, sampleText } from "./seed";

export type PageFigures = Awaited<ReturnType<typeof pageBench>>;

interface PageBenchOptions extends BenchOptions {
  readonly sessions: number;
}

const messages = 10_000;
const together = 50;
const slowdown = 4;
const streamSeconds = 60;
const opensEach = 3;

export async function pageBench(options: PageBenchOptions) {
  options.say(`Storing ${(options.sessions * messages).toLocaleString("en")} messages.`);
  const given = { seed: (store: PostgresSessionStore) => seed(store, options) };
  return onBenchApp(options, given, (app, seeded) =>
    withBrowser((browser) => measure({ ...app, ...options, ...seeded, browser })),
  );
}

interface Seeded {
  readonly longId: string;
  readonly hardIds: ReadonlyMap<string, string>;
}

async function seed(
  store: PostgresSessionStore,
  { sessions, signal }: PageBenchOptions,
): Promise<Seeded> {
  const ids = await Promise.all(
    Array.from({ length: sessions }, async (_, seedNumber) => {
      const { id } = await store.sessions.create(`Long ${seedNumber}`);
      const random = randomNumbers(seedNumber + 1);
      const session = store.messages(id);
      for (let n = 0; n < messages; n += together) {
        signal.throwIfAborted();
        const batch = Array.from({ length: together }, (_, k) => sampleMessage(random, n + k));
        await Promise.all(batch.map((message) => session.appendMessage(message)));
      }
      return id;
    }),
  );
  const hardIds = new Map<string, string>();
  for (const [name, text] of Object.entries(hardTexts)) {
    const { id } = await store.sessions.create("Hard");
    const session = store.messages(id);
    const part = (words: string) => [{ type: "text" as const, text: words }];
    await session.appendMessage({ id: crypto.randomUUID(), role: "user", parts: part("Show") });
    await session.appendMessage({
      id: crypto.randomUUID(),
      role: "assistant",
      parts: part(text),
    });
    hardIds.set(name, id);
  }
  return { longId: ids[0] ?? "", hardIds };
}

interface Place extends BenchApp, PageBenchOptions, Seeded {
  readonly browser: Browser;
}

async function measure(place: Place) {
  const { say, longId, sessions } = place;
  // The first request compiles and connects; that is measured elsewhere.
  await onChat(place, longId, async () => undefined);
  say("Opening the long session, and typing in it.");
  const opened: PageNotes[] = [];
  for (let n = 0; n < opensEach; n++) {
    opened.push(await onChat(place, longId, (page) => atRest(page)));
  }
  const keysInLongSession = await onChat(place, longId, async (page) => {
    await atRest(page);
    await typeFor(page, 60);
  });
  say(`Reading an answer for ${streamSeconds} seconds, and typing meanwhile.`);
  const stream = await streaming(place);
  say("Searching in the palette.");
  const palette = await searching(place);
  say("Showing what is hard to show.");
  const hard: { name: string; longestTask: number; shift: number; isWhole: boolean }[] = [];
  for (const [name, id] of place.hardIds) {
    let isWhole = false;
    const notes = await onChat(place, id, async (page) => {
      await shownWhole(page);
      isWhole = (await page.locator(".transcript").innerText()).includes(lastWord);
    });
    hard.push({ name, longestTask: longest(notes.longTasks), shift: notes.shift, isWhole });
    say(`${name}: longest task ${longest(notes.longTasks)} ms, shift ${notes.shift.toFixed(4)}`);
  }
  return {
    messages,
    searchedMessages: sessions * messages,
    slowdown,
    open: {
      largestPaintMs: median(opened.map((notes) => notes.largestPaintMs)),
      firstMessageMs: median(opened.map((notes) => notes.firstMessageMs)),
      liveMs: median(opened.map((notes) => notes.liveMs)),
      longestTask: median(opened.map((notes) => longest(notes.longTasks))),
    },
    keysInLongSession: keyPressP95(keysInLongSession.keys, 60),
    stream,
    palette,
    hard,
  };
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

function onChat(
  place: Place,
  sessionId: string,
  use: (page: Page) => Promise<void>,
): Promise<PageNotes> {
  return onPage({ ...place, path: `/s/${sessionId}`, rate: slowdown }, async (page) => {
    await page.locator(`${liveTranscript} article`).first().waitFor({ timeout: 60_000 });
    await use(page);
    return notesOf(page);
  });
}

async function streaming(place: Place) {
  const { model, longId } = place;
  model.pace = { words: streamSeconds * 50, pauseMs: 20, word: wordOfAnswer };
  let pressed = 0;
  const before = { tasks: 0, keys: 0, shift: 0 };
  const notes = await onChat(place, longId, async (page) => {
    await atRest(page);
    await page.getByRole("textbox", { name: "Message", exact: true }).fill("Tell me everything");
    await page.keyboard.press("Enter");
    await page.getByText("word9 ").first().waitFor({ timeout: 30_000 });
    const start = await page.evaluate<PageNotes>("window.pageNotes");
    Object.assign(before, {
      tasks: start.longTasks.length,
      keys: start.keys.length,
      shift: start.shift,
    });
    const until = performance.now() + streamSeconds * 1_000 * 0.9;
    while (performance.now() < until) {
      await typeFor(page, 10);
      pressed += 10;
      await delay(400);
    }
  });
  return {
    seconds: streamSeconds,
    keys: keyPressP95(notes.keys.slice(before.keys), pressed),
    longestTask: longest(notes.longTasks.slice(before.tasks)),
    shift: notes.shift - before.shift,
  };
}

async function searching(place: Place) {
  const query = sampleText(randomNumbers(7), 30);
  let answers: number[] = [];
  let keysBefore = 0;
  const notes = await onChat(place, place.longId, async (page) => {
    await atRest(page);
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").waitFor();
    keysBefore = (await page.evaluate<PageNotes>("window.pageNotes")).keys.length;
    await page.keyboard.type(query, { delay: 250 });
    await delay(1_000);
    answers = await page.evaluate<number[]>(
      `performance.getEntriesByType("resource").filter(({ name }) => name.includes("/api/search")).map(({ duration }) => duration)`,
    );
  });
  return {
    keys: keyPressP95(notes.keys.slice(keysBefore), query.length),
    answers: percentile(answers, 0.95),
  };
}

async function typeFor(page: Page, keys: number): Promise<void> {
  await page.getByRole("textbox", { name: "Message", exact: true }).focus();
  for (let n = 0; n < keys; n++) {
    await page.keyboard.press(n % 6 === 5 ? "Space" : "a");
    await delay(40);
  }
}
