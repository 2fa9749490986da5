import { setTimeout as delay } from "node:timers/promises";
import { expect } from "@playwright/test";
import type { Browser, Page } from "playwright";
import { answered, answers, begin, conversation, questions, say } from "@/e2e/support/conversation";
import { withBrowser } from "@/lab/browser";
import { Random } from "@/lib/text/testing/random";
import { numberedAnswer } from "./answer-viewer";
import { type AppServer, type DrillSite, storedMessages, withSite } from "./app-servers";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { acknowledged } from "./retrying-client";

const pageCount = 3;
const turnsPerSession = 8;
const shownAtLeast = 3;
const disturbancesPerAnswer = 4;
const offlineShare = 2 / 7;
const offlineOf = 2 / 5;
const { pace, writingMs } = numberedAnswer({ words: 60, pauseMs: 50 });

interface Tally {
  readonly broken: string[];
  reloads: number;
  offlineSpells: number;
  answers: number;
  longestEndMs: number;
}

export const reloads: Drill = {
  name: "reloads",
  promise:
    "What the page shows in the end is what is stored, whatever happened to the page meanwhile.",
  unit: "reloads",
  fullCount: 500,
  run: (options) => withSite(options, (site) => runReloads(options, site)),
};

async function runReloads(options: DrillOptions, site: DrillSite): Promise<DrillResult> {
  Object.assign(site.model.pace, pace);
  const server = await site.server();
  const body = { defaultModel: await site.modelRef() };
  await acknowledged(server.address, { method: "PATCH", path: "/api/settings", body });
  const tally: Tally = { broken: [], reloads: 0, offlineSpells: 0, answers: 0, longestEndMs: 0 };
  await withBrowser((browser) =>
    Promise.all(
      Array.from({ length: Math.min(pageCount, options.count) }, (_, index) => {
        const random = new Random(options.seed + index);
        return usePages(options, { browser, server, site, tally, random });
      }),
    ),
  );
  const { broken, ...counts } = tally;
  return {
    broken,
    figures: {
      reloads: counts.reloads,
      "offline spells": counts.offlineSpells,
      answers: counts.answers,
      "longest wait for the end of an answer (ms)": counts.longestEndMs,
    },
  };
}

interface Reader {
  readonly browser: Browser;
  readonly server: AppServer;
  readonly site: DrillSite;
  readonly tally: Tally;
  readonly random: Random;
}

async function usePages({ count, signal, say: report }: DrillOptions, reader: Reader) {
  const { browser, server, tally } = reader;
  const mayGoOn = () => tally.reloads < count || tally.offlineSpells < offlineOf * count;
  while (mayGoOn() && !signal.aborted) {
    const context = await browser.newContext({ baseURL: server.address, serviceWorkers: "block" });
    await oneSession(await context.newPage(), { ...reader, mayGoOn });
    await context.close();
    report(`${tally.reloads} reloads, ${tally.offlineSpells} offline spells`);
  }
}

async function oneSession(
  page: Page,
  { mayGoOn, ...reader }: Reader & { mayGoOn: () => boolean },
): Promise<void> {
  const sent: string[] = [];
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.stack ?? String(error)));
  page.on("console", (line) => line.type() === "error" && errors.push(line.text()));
  for (let turn = 0; turn < turnsPerSession && mayGoOn(); turn++) {
    const question = `Question ${turn} ${crypto.randomUUID()}`;
    if (turn === 0) await begin(page, question);
    else await say(page, question);
    sent.push(question);
    await disturb(page, reader);
    const waitingSince = performance.now();
    await comesToRest(page, question).catch((error: unknown) =>
      seenInstead(page, { error, errors }),
    );
    reader.tally.longestEndMs = Math.max(
      reader.tally.longestEndMs,
      performance.now() - waitingSince,
    );
    reader.tally.answers++;
    await compare(page, { ...reader, sent });
  }
}

const restsWithinMs = 90_000;

/** Waits as a person does before the next question: with scripts, the question once, and its whole answer. */
async function comesToRest(page: Page, question: string): Promise<void> {
  const within = { timeout: restsWithinMs };
  await expect(conversation(page)).not.toHaveAttribute("aria-busy", "true", within);
  await expect(questions(page).filter({ hasText: question })).toHaveCount(1, within);
  await expect(page.getByRole("article").last()).toHaveAccessibleName(/^Answer/, within);
  await answered(page);
}

/** A page that shows no answer says why in what it shows. */
async function seenInstead(
  page: Page,
  { error, errors }: { error: unknown; errors: readonly string[] },
): Promise<never> {
  const shown = await page.locator("body").innerText();
  throw new Error(
    `No answer ended at ${page.url()}, which shows:\n${shown}\n${errors.slice(-5).join("\n")}`,
    {
      cause: error,
    },
  );
}

async function disturb(page: Page, { random, tally }: Reader): Promise<void> {
  for (let n = 0; n < disturbancesPerAnswer; n++) {
    await delay((random.next() * writingMs) / disturbancesPerAnswer);
    if (random.next() < offlineShare) {
      tally.offlineSpells++;
      await page.context().setOffline(true);
      await delay(random.next() * 1_500);
      await page.context().setOffline(false);
    } else {
      tally.reloads++;
      await page.reload({ waitUntil: "commit" });
    }
  }
}

async function compare(
  page: Page,
  { site, tally, sent }: Reader & { sent: readonly string[] },
): Promise<void> {
  const sessionId = new URL(page.url()).pathname.split("/").at(-1);
  const rows = (await storedMessages(site)).filter((row) => row.sessionId === sessionId);
  const asked = rows.filter(({ role }) => role === "user").map(({ text }) => text);
  const written = rows.filter(({ role }) => role === "assistant");
  if (JSON.stringify(asked) !== JSON.stringify(sent))
    tally.broken.push(`${sent.length} questions were sent, ${asked.length} are stored.`);
  const shownQuestions = await questions(page).allInnerTexts();
  // A page begins with the last messages; earlier ones come when scrolled to.
  const expected = sent.slice(-shownQuestions.length);
  const isSame = shownQuestions.every((text, at) => text.includes(expected[at] ?? "?"));
  if (shownQuestions.length < Math.min(sent.length, shownAtLeast) || !isSame)
    tally.broken.push(`The page shows other questions than sent: ${shownQuestions.join(" | ")}`);
  const shown = await answers(page).last().getByRole("paragraph").allInnerTexts();
  const stored = written.at(-1)?.text.trimEnd();
  if (shown.join("\n\n") !== stored)
    tally.broken.push(`The page shows “${shown.join("\n\n")}”, stored is “${stored}”.`);
  if (written.length !== sent.length)
    tally.broken.push(`${written.length} answers to ${sent.length} questions.`);
}
