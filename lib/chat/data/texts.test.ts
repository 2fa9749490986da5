import { afterAll, beforeAll, expect, test } from "vitest";
import { searchEverything } from "@/lib/chat/sessions/search";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { manualChat } from "@/lib/chat/testing/run-fixture";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import type { OwnerServices } from "@/lib/server/owner-services";
import { trySeeds } from "@/lib/text/testing/try-seeds";
import { unicodeText } from "@/lib/text/testing/unicode-text";
import { importEverything } from "./portable-data";
import { exported, given } from "./testing/compared-exports";

/** A message may have this many parts. */
const textsAtOnce = 100;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test(
  "any text comes back exactly from storage, search and an import, NUL and lone surrogates replaced",
  { tags: "long" },
  () =>
    trySeeds(10, async (random) => {
      const [owner, copy] = [newOwner(database.sql), newOwner(database.sql)];
      const { conversation } = manualChat(database.sql, { owner });
      const { sessionId } = conversation;
      const marker = `zq${random.below(2 ** 31).toString(36)}x${random.below(2 ** 31).toString(36)}`;
      const texts = Array.from({ length: textsAtOnce - 1 }, () => unicodeText(random));
      const parts = [`${marker} ${texts[0]}`, ...texts].map((text) => ({ type: "text", text }));
      const { entry } = await conversation.send("", { parts, generate: false });
      const expected = parts.map(({ text }) => text.toWellFormed().replaceAll("\0", "\u2400"));
      const stored = async ({ store }: OwnerServices) => {
        const message = await store.messages(sessionId).getMessage(entry.message.id);
        return message?.parts.map(({ text }) => text);
      };
      expect(await stored(owner)).toEqual(expected);
      const found = await searchEverything(owner, { input: marker, sessionId: null, limit: 5 });
      const hit = found.hits.find(({ id }) => id === entry.message.id);
      expect(hit?.snippet.text).toContain(marker);
      await importEverything(copy, given(await exported(owner)), () => true);
      expect(await stored(copy)).toEqual(expected);
      for (const each of [owner, copy]) await each.data.deleteAll();
    }),
);
