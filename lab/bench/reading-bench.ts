import { setTimeout as delay } from "node:timers/promises";
import type { Browser } from "playwright";
import { z } from "zod";
import { ensureBuild } from "@/lib/commands/ensure-build";
import {
  callApi,
  type GroveProcess,
  startGrove,
  withTemporaryFolder,
} from "@/lib/commands/testing/grove-process";
import { offerModel } from "./app-bench";
import { atRest, notesOf, onPage, withBrowser } from "./measured-page";
import { type ModelServer, startModelServer } from "./model-server";
import { hardTexts, keyPressP95, lastWord, longest } from "./page-readings";

export interface ReadingFigures {
  readonly slowdown: number;
  /** Key press to paint in the list of models, at full speed. */
  readonly picker: { readonly models: number; readonly keys: number };
  readonly hard: { readonly longestTask: number; readonly shift: number };
  readonly together: { readonly answers: number; readonly longestTask: number };
}

export interface ReadingBenchOptions {
  readonly projectDir: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

const slowdown = 4;
const modelCount = 1_000;
const answers = 4;
const togetherSeconds = 15;
const pickerQuery = "bench model 7";

/** In Chromium; answers with a throttled processor. */
export async function readingBench(options: ReadingBenchOptions): Promise<ReadingFigures> {
  const { projectDir, signal, say } = options;
  await ensureBuild({ projectDir, environment: process.env, signal, say });
  const model = await startModelServer();
  for (let n = 1; n < modelCount; n += 1) model.models.push(`${model.modelId}-${n}`);
  try {
    return await withTemporaryFolder(async (dataDir) => {
      const environment = {
        OPENAI_COMPATIBLE_NAME: "bench",
        OPENAI_COMPATIBLE_BASE_URL: model.baseUrl,
      };
      const grove = await startGrove({ dataDir, environment });
      try {
        return await withBrowser((browser) => measure({ grove, browser, model, say }));
      } finally {
        await grove.stop();
      }
    });
  } finally {
    await model.close();
  }
}

interface Place extends Pick<ReadingBenchOptions, "say"> {
  readonly grove: GroveProcess;
  readonly browser: Browser;
  readonly model: ModelServer;
}

async function measure(place: Place): Promise<ReadingFigures> {
  const { grove, model, say } = place;
  const ref = await offerModel(grove.address, model.modelId);
  say(`Searching ${modelCount} models.`);
  const keys = await picking(place);
  say("Opening an answer with a long table, formulas and marks.");
  const hard = await opening(place);
  say(`Reading ${answers} answers at once.`);
  const longestTask = await readingTogether(place, ref);
  const picker = { models: modelCount, keys };
  return { slowdown, picker, hard, together: { answers, longestTask } };
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

async function opening(place: Place): Promise<ReadingFigures["hard"]> {
  const id = await importedAnswer(place.grove.address, allHardTexts());
  const notes = await onPage({ ...place, path: `/s/${id}`, rate: slowdown }, async (page) => {
    await page.getByText(lastWord).first().waitFor({ timeout: 60_000 });
    await page.locator("[data-waiting]").first().waitFor({ state: "detached", timeout: 120_000 });
    await atRest(page);
    return notesOf(page);
  });
  return { longestTask: longest(notes.longTasks), shift: notes.shift };
}

/** In one answer, whose last word is at its end only. */
function allHardTexts(): string {
  const names = ["a table of 3,000 rows", "300 formulas", "100 KB of `**a**`"];
  const texts = names.map((name) => (hardTexts[name] ?? "").replace(lastWord, "").trim());
  return `${texts.join("\n\n")}\n\n${lastWord}`;
}

async function readingTogether(place: Place, ref: string): Promise<number> {
  const { grove, model } = place;
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

async function importedAnswer(address: string, text: string): Promise<string> {
  const question = crypto.randomUUID();
  const now = new Date().toISOString();
  const answer = crypto.randomUUID();
  const message = { type: "message", createdAt: now, pinned: false, label: null };
  const said = (words: string) => ({ parts: [{ type: "text", text: words }] });
  const imported = crypto.randomUUID();
  const lines = [
    { type: "grove-export", format: 1, exportedAt: now },
    {
      ...{ type: "session", id: imported, title: "Hard", model: null, source: null, tags: [] },
      ...{ metadata: {}, parentSessionId: null, forkedAtMessageId: null, inputTokens: 0 },
      ...{ outputTokens: 0, cost: 0, frozenPrompt: null, pinnedAt: null, archivedAt: null },
      ...{ createdAt: now, updatedAt: now, activeLeafId: answer, leafIds: [answer] },
    },
    { ...message, id: question, parentId: null, role: "user", content: said("Show me") },
    { ...message, id: answer, parentId: question, role: "assistant", content: said(text) },
    { type: "session-end", id: imported, messages: 2 },
    { type: "end", sessions: 1 },
  ];
  const response = await fetch(`${address}/api/import`, {
    method: "POST",
    headers: { "Content-Type": "application/x-ndjson" },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  });
  if (!response.ok) throw new Error(`The import failed with status ${response.status}.`);
  return imported;
}
