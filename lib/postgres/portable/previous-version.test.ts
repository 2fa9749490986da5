import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { PostgresRunStore } from "@/lib/storage/runs/postgres-run-store";
import { PostgresContextProvider, PostgresSearchProvider } from "../memory/entries";
import { PostgresSessionStore } from "../postgres-session-store";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { countData } from "./delete-rows";
import { type ImportReport, importLines } from "./import-lines";

// An export of the version before drizzle/0000_init.sql, and its visible content. It must stay
// importable, so it is not read with this version's records.
const folder = "lib/postgres/portable/testing";
const line = z.looseObject({ type: z.string() });
type Line = z.infer<typeof line>;
const shownSchema = z.object({
  /** By session and leaf: ids of messages, or the ends and beginning of a summary. */
  sessions: z.record(
    z.string(),
    z.object({
      activeLeafId: z.string().nullable(),
      paths: z.record(z.string(), z.array(z.string())),
    }),
  ),
});

let database: TestDatabase;
let texts: string[];
let lines: Line[];
let shown: z.infer<typeof shownSchema>;
let report: ImportReport;
const settings: unknown[] = [];
const owner = "local";

const importFixture = () =>
  importLines(
    database.sql,
    (async function* () {
      yield* texts;
    })(),
    {
      ownerId: owner,
      onSettings: async (record) => {
        settings.push(record);
        return [];
      },
    },
  );

beforeAll(async () => {
  database = await createTestDatabase();
  texts = (await readFile(`${folder}/previous-version.jsonl`, "utf8")).trim().split("\n");
  lines = texts.map((text) => line.parse(JSON.parse(text)));
  shown = shownSchema.parse(
    JSON.parse(await readFile(`${folder}/previous-version.expected.json`, "utf8")),
  );
  report = await importFixture();
});
afterAll(() => database.drop());

const linesOf = (type: string) => lines.filter((each) => each.type === type);

/** The lines of each session. */
function sessionLines(): Map<string, Line[]> {
  const found = new Map<string, Line[]>();
  let current: Line[] | null = null;
  for (const each of lines) {
    if (each.type === "session") {
      current = [];
      found.set(String(each.id), current);
    } else if (each.type === "session-end") current = null;
    else current?.push(each);
  }
  return found;
}

describe("the export of the previous version", () => {
  test("is imported whole, and a second time changes nothing", async () => {
    const sessions = linesOf("session").length;
    const documents = linesOf("document").filter(({ scope }) => scope === "").length;
    expect(report).toMatchObject({
      sessions: { imported: sessions, already: 0, restored: 0, failed: 0 },
      documents: { imported: documents, already: 0, left: 0 },
      problems: [],
    });
    expect(settings).toMatchObject(linesOf("settings"));
    expect(await importFixture()).toMatchObject({
      sessions: { imported: 0, already: sessions, failed: 0 },
      documents: { imported: 0, already: documents, left: 0 },
      problems: [],
    });
  });

  test("keeps every message with its text, metadata, date, bookmark and place in the tree", {
    tags: "long",
  }, async () => {
    const store = new PostgresSessionStore(database.sql, owner);
    for (const [sessionId, own] of sessionLines()) {
      const messages = store.messages(sessionId);
      const given = own.filter(({ type }) => type === "message");
      const gaps = new Map(
        own.filter(({ type }) => type === "gap").map(({ id, parentId }) => [id, parentId]),
      );
      const above = (id: unknown): unknown => (gaps.has(id) ? above(gaps.get(id)) : id);
      const tree = await messages.getTree();
      expect(
        tree.map(({ id, parentId, role, label, pinned }) => ({
          id,
          parentId,
          role,
          label,
          pinned,
        })),
      ).toEqual(
        given.map(({ id, parentId, role, label, pinned }) => ({
          id,
          parentId: above(parentId),
          role,
          label,
          pinned: pinned || label !== null,
        })),
      );
      for (const { id, content, createdAt } of given) {
        const stored = await messages.getMessage(String(id));
        expect(stored).toMatchObject(content as object);
        expect(stored?.createdAt.toISOString()).toBe(createdAt);
      }
    }
  });

  test("shows the same lines on every path, summaries in their places", async () => {
    const store = new PostgresSessionStore(database.sql, owner);
    for (const [sessionId, { activeLeafId, paths }] of Object.entries(shown.sessions)) {
      const messages = store.messages(sessionId);
      expect((await messages.getLatestLeaf())?.id ?? null).toBe(activeLeafId);
      for (const [leafId, path] of Object.entries(paths)) {
        const { entries } = await messages.getWindow({ leafId, limit: 500 });
        const read = entries.map(({ message, compaction }) =>
          compaction
            ? `${compaction.fromMessageId}…${compaction.toMessageId}: ${compaction.summary.slice(0, 40)}`
            : message.id,
        );
        expect(read, `${sessionId} at ${leafId}`).toEqual(path);
      }
    }
  });

  test("keeps what sessions say of themselves, and their skills", async () => {
    const store = new PostgresSessionStore(database.sql, owner);
    for (const given of linesOf("session")) {
      const info = await store.sessions.get(String(given.id));
      expect(info).toMatchObject({
        name: given.title,
        model: given.model,
        tags: given.tags,
        metadata: given.metadata,
        inputTokens: given.inputTokens,
        outputTokens: given.outputTokens,
        cost: given.cost,
        parentSessionId: given.parentSessionId,
        forkedAtMessageId: given.forkedAtMessageId,
      });
      expect(info?.pinnedAt?.toISOString() ?? null).toBe(given.pinnedAt);
      expect(info?.archivedAt?.toISOString() ?? null).toBe(given.archivedAt);
      expect(await store.promptCache(String(given.id)).get()).toBe(given.frozenPrompt);
    }
    const skills = await store.messages("empty").getLoadedSkills();
    expect(skills).toMatchObject([{ label: "skills", key: "brew-plan" }]);
    expect(await store.messages("tea").getLoadedSkills()).toHaveLength(2);
  });

  test("keeps every version of every document of memory", async () => {
    let at: Line | null = null;
    const versions = new Map<Line, Line[]>();
    for (const each of lines) {
      if (each.type === "document") versions.set(each, []);
      if (each.type === "document") at = each;
      else if (each.type === "version" && at) versions.get(at)?.push(each);
      else at = null;
    }
    expect(versions.size).toBe(linesOf("document").length);
    for (const [{ scope, label, key }, given] of versions) {
      const location = {
        ownerId: owner,
        label: String(label),
        ...(scope !== "" && { sessionId: String(scope) }),
      };
      const read =
        key === ""
          ? await new PostgresContextProvider(database.sql, location).versions()
          : await new PostgresSearchProvider(database.sql, location).entryVersions(String(key));
      expect(
        read.map(({ version, content, provenance, createdAt }) => ({
          version,
          content,
          author: provenance.author,
          createdAt: createdAt.toISOString(),
        })),
      ).toEqual(
        given
          .map(({ version, content, author, createdAt }) => ({
            version,
            content,
            author,
            createdAt,
          }))
          .reverse(),
      );
    }
  });

  test("keeps every call that was paid for", async () => {
    const { calls } = await countData(database.sql, owner);
    expect(calls).toBe(linesOf("usage").length);
  });

  test("keeps the receipt of every answer", async () => {
    const runs = new PostgresRunStore({ sql: database.sql, chunks: database.sql, ownerId: owner });
    for (const [sessionId, own] of sessionLines()) {
      for (const { type, messageId, receipt } of own) {
        if (type !== "answer") continue;
        expect(await runs.receiptOf(sessionId, String(messageId))).toEqual(receipt);
      }
    }
  });
});
