import { setTimeout as delay } from "node:timers/promises";
import type { PostgresSessionStore } from "grove-session/postgres";
import type { Browser } from "playwright";
import { z } from "zod";
import { withBrowser } from "@/lab/browser";
import { callApi } from "@/lib/commands/testing/grove-process";
import { type BenchApp, type BenchOptions, onBenchApp } from "./bench-app";
import { atRest, notesOf, onPage, shownWhole } from "./measured-page";
import { hardTexts, keyPressP95, lastWord, longest } from "./page-readings";

export type ReadingFigures = Awaited<ReturnType<typeof readingBench>>;

const slowdown = 4;
const modelCount = 1_000;
const answers = 4;
const togetherSeconds = 15;
const pickerQuery = "bench model 7";

export async function readingBench({ signal, say }: BenchOptions) {
  return onBenchApp({ signal, say }, { seed, modelCount }, (app, hardId) =>
    withBrowser(async (browser) => {
      const place = { ...app, browser };
      say(`Searching ${modelCount} models.`);
      const keys = await picking(place);
      say("Opening an answer with a long table, formulas and marks.");
      const hard = await opening(place, hardId);
      say(`Reading ${answers} answers at once.`);
      const longestTask = await readingTogether(place);
      const picker = { models: modelCount, keys };
      return { slowdown, picker, hard, together: { answers, longestTask } };
    }),
  );
}

interface Place extends BenchApp {
  readonly browser: Browser;
}

async function picking(place: Place): Promise<number> {
  let before = 0;
  const keys = await onPage({ ...place, path: "/", rate: 1 }, async (page) => {
    await page.getByRole("button", { name: /^Model/ }).click();
    const field = page.getByRole("combobox", { name: "Search models" });
    await field.waitFor();
    await atRest(page);
    before = (await notesOf(page)).keys.length;
    await field.pressSequentially(pickerQuery, { delay: 120 });
    for (const _ of pickerQuery) await field.press("Backspace", { delay: 60 });
    await delay(500);
    return (await notesOf(page)).keys;
  });
  return keyPressP95(keys.slice(before), 2 * pickerQuery.length);
}

/** @returns the id of a chat with what is hardest to show. */
async function seed(store: PostgresSessionStore): Promise<string> {
  const { id } = await store.sessions.create("Hard");
  const said = (role: "user" | "assistant", text: string) =>
    store
      .messages(id)
      .appendMessage({ id: crypto.randomUUID(), role, parts: [{ type: "text", text }] });
  await said("user", "Show me");
  await said("assistant", allHardTexts());
  return id;
}

async function opening(place: Place, id: string) {
  const notes = await onPage({ ...place, path: `/s/${id}`, rate: slowdown }, async (page) => {
    await shownWhole(page);
    return notesOf(page);
  });
  return { longestTask: longest(notes.longTasks), shift: notes.shift };
}

function allHardTexts(): string {
  const names = ["a table of 3,000 rows", "300 formulas", "100 KB of `**a**`"];
  const texts = names.map((name) => (hardTexts[name] ?? "").replace(lastWord, "").trim());
  return `${texts.join("\n\n")}\n\n${lastWord}`;
}

async function readingTogether(place: Place): Promise<number> {
  const { grove, model, ref } = place;
  model.pace = { words: 3_000, pauseMs: 20 };
  const sessionId = crypto.randomUUID();
  const together = Array.from({ length: answers }, () => ({
    answerId: crypto.randomUUID(),
    model: ref,
  }));
  await callApi(`${grove.address}/api/sessions/${sessionId}/messages`, {
    method: "POST",
    body: {
      id: crypto.randomUUID(),
      parts: [{ type: "text", text: "Tell me everything" }],
      newSession: {},
      together,
    },
    answer: z.unknown(),
  });
  let before = 0;
  const longTasks = await onPage(
    { ...place, path: `/s/${sessionId}`, rate: slowdown },
    async (page) => {
      await page
        .getByText(/w9 /)
        .nth(answers - 1)
        .waitFor({ timeout: 60_000 });
      await atRest(page);
      before = (await notesOf(page)).longTasks.length;
      await delay(togetherSeconds * 1_000);
      return (await notesOf(page)).longTasks;
    },
  );
  return longest(longTasks.slice(before));
}
