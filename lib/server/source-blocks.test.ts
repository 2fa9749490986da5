import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionEvents } from "grove-session";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contextView } from "@/lib/chat/answering/context-view";
import { asPerson, inOwnSpace } from "@/lib/chat/core/person-in-space";
import { Conversation, chatProcess, demoModel } from "@/lib/chat/testing/chat-fixture";
import { addEntry, blockViews, listEntries, readEntry } from "@/lib/chat/testing/memory-by-label";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { S3Server, testCredentials } from "@/lib/s3/testing/s3-server";
import { errorResponse } from "./http-error";
import { ownerServices } from "./owner-services";
import { readSourceBlocks } from "./source-blocks";

const { accessKeyId, secretAccessKey } = testCredentials;
let database: TestDatabase;
let folder: string;
let server: S3Server;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await S3Server.start();
  server.put("team/style", "Write short.", { "x-amz-meta-description": "Style guide" });
  folder = await mkdtemp(join(tmpdir(), "grove-source-"));
  await mkdir(join(folder, "tea"));
  await writeFile(
    join(folder, "tea/SKILL.md"),
    "---\nname: Tea\ndescription: Brews tea.\n---\nBoil.",
  );
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
  await database.drop();
});

function environment(): Record<string, string> {
  return {
    GROVE_SKILLS_DIR: folder,
    GROVE_SKILLS_S3_ENDPOINT: server.endpoint,
    GROVE_SKILLS_S3_REGION: "auto",
    GROVE_SKILLS_S3_BUCKET: "notes",
    GROVE_SKILLS_S3_PREFIX: "team/",
    GROVE_SKILLS_S3_ACCESS_KEY_ID: accessKeyId,
    GROVE_SKILLS_S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
}

function newOwner(settings: Record<string, string> = environment()) {
  const { sql } = database;
  const sourceBlocks = readSourceBlocks(settings);
  const ownerId = crypto.randomUUID();
  const events = new SessionEvents(ownerId);
  return ownerServices({
    sql,
    chunkSql: sql,
    ...inOwnSpace(asPerson(ownerId)),
    events,
    sourceBlocks,
  });
}

describe("Skills the environment names", () => {
  test("are none when nothing is set, or set to nothing", () => {
    expect(readSourceBlocks({})).toEqual([]);
    expect(readSourceBlocks({ GROVE_SKILLS_DIR: " ", GROVE_SKILLS_S3_BUCKET: "" })).toEqual([]);
  });

  test("are blocks of their own with their origin, which nobody writes here", {
    tags: "long",
  }, async () => {
    const owner = newOwner();
    const blocks = (await blockViews(owner, null)).filter(({ origin }) => origin !== null);
    expect(blocks).toMatchObject([
      {
        label: "skills-folder",
        kind: "loadable",
        writers: "nobody",
        origin: `The folder ${folder}`,
        content: "- tea: Brews tea.",
        entryCount: 1,
        error: null,
      },
      {
        label: "skills-bucket",
        origin: `The bucket notes at ${new URL(server.endpoint).host}, under team/`,
        content: "- style: Style guide",
        entryCount: 1,
        error: null,
      },
    ]);
    expect(JSON.stringify(blocks)).not.toContain(secretAccessKey);
    const list = { label: "skills-folder", sessionId: null, find: undefined };
    expect(await listEntries(owner, list)).toMatchObject([
      { key: "tea", title: "Tea", content: "", tokens: 2, problem: null },
    ]);
    expect(await listEntries(owner, { ...list, find: "coffee" })).toEqual([]);
    const place = { label: "skills-bucket", key: "style", sessionId: null };
    expect(await readEntry(owner, place)).toMatchObject({ content: "Write short." });
    await expect(readEntry(owner, { ...place, key: "x" })).rejects.toThrow(
      "There is no skill “x”.",
    );
    const written = addEntry(
      owner,
      { label: "skills-folder", sessionId: null },
      { title: "New", content: "Text" },
    );
    await expect(written).rejects.toMatchObject({ code: "block-readonly" });
  });

  test("are offered in every session: listed in its prompt, loaded by model and person", async () => {
    const owner = newOwner();
    const process = chatProcess();
    const conversation = new Conversation(owner, process, await demoModel());
    await conversation.ask("Load the skill tea");
    const { sessionId } = conversation;
    const loaded = { label: "skills-folder", key: "tea" };
    const style = { label: "skills-bucket", key: "style" };
    await owner.store.messages(sessionId).recordSkillEvent(style, "load");
    const resolved = await demoModel();
    const view = await contextView(owner, { sessionId, resolved });
    expect(view.prompt).toContain("- tea: Brews tea.");
    expect(view.prompt).toContain("- style: Style guide");
    expect(view.loadedSkills).toEqual([loaded, style]);
    expect(view.gauge.parts.filter(({ source }) => source === "skills")).toEqual([
      { source: "skills", label: "tea", tokens: 2 },
      { source: "skills", label: "style", tokens: 3 },
    ]);
  });

  test("that fail do so in their own block, and no answer holds the secret", async () => {
    const owner = newOwner({
      ...environment(),
      GROVE_SKILLS_DIR: join(folder, "nowhere"),
      GROVE_SKILLS_S3_SECRET_ACCESS_KEY: "another-secret",
    });
    const blocks = await blockViews(owner, null);
    const errors = Object.fromEntries(blocks.map(({ label, error }) => [label, error]));
    expect(errors).toEqual({
      soul: null,
      memory: null,
      knowledge: null,
      skills: null,
      "skills-folder": expect.stringContaining("nowhere does not exist."),
      "skills-bucket": expect.stringContaining("Bucket “notes”"),
    });
    const listing = { label: "skills-bucket", sessionId: null, find: undefined };
    const response = await listEntries(owner, listing).catch(errorResponse);
    expect(response).toBeInstanceOf(Response);
    const { status } = response as Response;
    const body = await (response as Response).text();
    expect(status).toBe(502);
    expect(body).toContain("refused the credentials");
    expect(`${body}${JSON.stringify(blocks)}`).not.toContain("another-secret");
  });

  test.each([
    [{ GROVE_SKILLS_S3_BUCKET: "b" }, "GROVE_SKILLS_S3_ACCESS_KEY_ID is not set."],
    [{ GROVE_SKILLS_S3_ENDPOINT: "https://x.example" }, "GROVE_SKILLS_S3_BUCKET is not set."],
    [
      {
        ...{ GROVE_SKILLS_S3_ENDPOINT: "nonsense", GROVE_SKILLS_S3_BUCKET: "b" },
        GROVE_SKILLS_S3_ACCESS_KEY_ID: "id",
        GROVE_SKILLS_S3_SECRET_ACCESS_KEY: "s",
      },
      "GROVE_SKILLS_S3_ENDPOINT must be an http or https address.",
    ],
  ])("that are half set say what is missing: %j", async (settings, problem) => {
    const [block] = readSourceBlocks(settings);
    await expect(block?.source.get()).rejects.toThrow(problem);
  });
});
