import type { Sql } from "postgres";
import { Random } from "@/lab/bench/random";
import { importEverything } from "@/lib/chat/data/portable-data";
import { searchEverything } from "@/lib/chat/sessions/search";
import {
  Conversation,
  chatProcess,
  newOwner,
  resolvedModel,
} from "@/lib/chat/testing/chat-fixture";
import { ManualModel } from "@/lib/chat/testing/manual-model";
import type { OwnerServices } from "@/lib/server/owner-services";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { onDrillDatabase } from "./drill-database";

/** As many as a message may have parts. */
const textsAtOnce = 100;
const messagesOfSession = 200;
const searchedShare = 0.02;

/** First and last code of a range; lone surrogates and NUL among them. */
const ranges = [
  [0x0000, 0x001f],
  [0x0020, 0x007e],
  [0x007f, 0x02ff],
  [0x0300, 0x036f],
  [0x0400, 0x077f],
  [0x0900, 0x0e7f],
  [0x1100, 0x11ff],
  [0x200b, 0x206f],
  [0x3040, 0x9fff],
  [0xd800, 0xdfff],
  [0xe000, 0xf8ff],
  [0xfb00, 0xffff],
  [0x1_0000, 0x1_f9ff],
  [0xe_0000, 0xe_01ef],
  [0x10_0000, 0x10_ffff],
] as const;

export const texts: Drill = {
  name: "texts",
  promise: "What a person wrote comes back exactly; NUL and lone surrogates are visibly replaced.",
  unit: "strings",
  fullCount: 1_000_000,
  run: (options) => onDrillDatabase(({ patientSql: sql }) => sendTexts(sql, options)),
};

interface Sent {
  readonly id: string;
  readonly marker: string;
  readonly expected: readonly string[];
}

export async function sendTexts(
  sql: Sql,
  { count, seed, signal, say }: DrillOptions,
): Promise<DrillResult> {
  const random = new Random(seed);
  const broken: string[] = [];
  const figures = { strings: 0, characters: 0, replaced: 0, found: 0 };
  const perSession = messagesOfSession * textsAtOnce;
  for (let done = 0; done < count && !signal.aborted; done += perSession) {
    const [owner, copy] = [newOwner(sql), newOwner(sql)];
    const chat = new Conversation(owner, chatProcess(), resolvedModel(new ManualModel().model));
    const sent: Sent[] = [];
    for (let at = done; at < Math.min(count, done + perSession); at += textsAtOnce) {
      const size = Math.min(textsAtOnce, count - at);
      sent.push(await send(chat, { random, size, figures }));
    }
    broken.push(...(await different(owner, chat.sessionId, sent)).map((id) => `Stored: ${id}`));
    for (const one of sent.filter(() => random.next() < searchedShare || count < perSession)) {
      const isFound = await finds(owner, one);
      figures.found += Number(isFound);
      if (!isFound) broken.push(`Not found: message ${one.id}`);
    }
    await importEverything(copy, linesOf(owner), () => true);
    broken.push(...(await different(copy, chat.sessionId, sent)).map((id) => `Imported: ${id}`));
    await Promise.all([owner.data.deleteAll(), copy.data.deleteAll()]);
    figures.strings = Math.min(count, done + perSession);
    say(`${figures.strings.toLocaleString("en")} strings`);
  }
  return { broken, figures };
}

async function send(
  chat: Conversation,
  {
    random,
    size,
    figures,
  }: { random: Random; size: number; figures: { characters: number; replaced: number } },
): Promise<Sent> {
  const marker = `zq${random.below(2 ** 31).toString(36)}x${random.below(2 ** 31).toString(36)}`;
  const given = Array.from({ length: size }, (_, n) =>
    n === 0 ? `${marker} ${unicodeText(random)}` : unicodeText(random),
  );
  const expected = given.map((text) => text.toWellFormed().replaceAll("\0", "\u2400"));
  figures.characters += given.reduce((sum, { length }) => sum + length, 0);
  figures.replaced += given.filter((text, n) => text !== expected[n]).length;
  const parts = given.map((text) => ({ type: "text", text }));
  const { entry } = await chat.send("", { parts, generate: false });
  return { id: entry.message.id, marker, expected };
}

/** Up to 40 characters. */
export function unicodeText(random: Random): string {
  const codes = Array.from({ length: 1 + random.below(40) }, () => {
    const [first, last] = random.of<readonly [number, number]>(ranges);
    return first + random.below(last - first + 1);
  });
  return String.fromCodePoint(...codes);
}

/** Ids of the messages that are not as sent. */
async function different(
  owner: OwnerServices,
  sessionId: string,
  sent: readonly Sent[],
): Promise<string[]> {
  const messages = owner.store.messages(sessionId);
  const ids: string[] = [];
  for (const { id, expected } of sent) {
    const stored = (await messages.getMessage(id))?.parts.map(({ text }) => text) ?? [];
    const isEqual =
      stored.length === expected.length && stored.every((text, n) => text === expected[n]);
    if (!isEqual) ids.push(id);
  }
  return ids;
}

async function finds(owner: OwnerServices, { id, marker }: Sent): Promise<boolean> {
  const found = await searchEverything(owner, { input: marker, sessionId: null, limit: 5 });
  const hit = found.hits.find((each) => each.id === id);
  return hit?.snippet.text.includes(marker) === true;
}

/** The export, line by line. */
async function* linesOf(owner: OwnerServices): AsyncGenerator<string> {
  for await (const lines of owner.data.export({ settings: [] })) yield* lines.trimEnd().split("\n");
}
