import { execFile } from "node:child_process";
import { inspect, promisify } from "node:util";
import type { ToolSet } from "ai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { encodeMetadata } from "../../s3/metadata-text";
import { S3Server, testCredentials } from "../../s3/testing/s3-server";
import { InMemorySessionStore, InvalidArgumentError, Session } from "../../session";
import { describeReadableSkills, describeWritableSkills } from "../../session/testing";
import { type S3SkillOptions, S3SkillProvider } from "../index";

let server: S3Server;

beforeEach(async () => {
  server = await S3Server.start();
});
afterEach(() => server.stop());

/** Lists the bucket again each time, and waits for a busy machine. */
function provider(options: Partial<S3SkillOptions> = {}): S3SkillProvider {
  return new S3SkillProvider({
    endpoint: server.endpoint,
    bucket: "notes",
    prefix: "skills/",
    freshForMs: 0,
    timeoutMs: 20_000,
    ...testCredentials,
    ...options,
  });
}

function describedBy(description: string | undefined): Record<string, string> {
  return description === undefined ? {} : { "x-amz-meta-description": encodeMetadata(description) };
}

describeReadableSkills("S3SkillProvider", (skills) => {
  for (const { key, content, description } of skills) {
    server.put(`skills/${key}`, content, describedBy(description));
  }
  return provider();
});
describeReadableSkills("S3SkillProvider over folders with a SKILL.md", (skills) => {
  for (const { key, content, description } of skills) {
    const line = description === undefined ? "" : `description: ${description}\n`;
    server.put(`skills/${key}/SKILL.md`, `---\nname: n\n${line}---\n${content}`);
  }
  return provider();
});
describeWritableSkills("S3SkillProvider", () => provider());

describe("A bucket of skills", () => {
  test("is a block whose skills a model lists, loads and writes", async () => {
    server.put("skills/api-ref", "GET /tea", {
      "x-amz-meta-description": "API Reference documentation",
    });
    const { endpoint } = server;
    const { accessKeyId, secretAccessKey } = testCredentials;
    const session = Session.create(new InMemorySessionStore())
      .forSession("s1")
      .withContext("skills", {
        provider: new S3SkillProvider({
          endpoint,
          region: "auto",
          bucket: "notes",
          prefix: "skills/",
          accessKeyId,
          secretAccessKey,
        }),
      });

    expect(await session.freezeSystemPrompt()).toContain("- api-ref: API Reference documentation");
    const tools: ToolSet = await session.tools();
    const call = (name: string, input: object) =>
      tools[name]?.execute?.(input, { toolCallId: name, messages: [], context: {} });
    expect(await call("load_context", { label: "skills", key: "api-ref" })).toBe("GET /tea");
    const metadata = { title: "Brewing", description: "How to brew" };
    const written = { label: "skills", content: "Boil water.", metadata };
    expect(await call("set_context", written)).toEqual({
      outcome: "written",
      label: "skills",
      key: "brewing",
    });
    expect(server.objects.get("skills/brewing")?.bytes.toString()).toBe("Boil water.");
  });

  test("holds what is under the prefix alone, and folders of a SKILL.md are one skill each", async () => {
    server.put("other/secret", "SECRET");
    server.put("skills/", "");
    server.put("skills/plain.md", "Plain");
    server.put("skills/pdf/SKILL.md", "---\nname: PDF\ndescription: Forms\n---\nRead fields.md.");
    server.put("skills/pdf/fields.md", "---\nkept: as it is\n---\nFields");
    server.put("skills/a b/ü&+<x>.md", "Odd name");
    const skills = provider();
    expect(await skills.get()).toBe("- a b/ü&+<x>.md\n- pdf: Forms\n- plain.md");
    expect(await skills.load("pdf")).toBe("Read fields.md.");
    expect(await skills.load("pdf/fields.md")).toBe("---\nkept: as it is\n---\nFields");
    expect(await skills.load("a b/ü&+<x>.md")).toBe("Odd name");
    for (const key of ["../other/secret", "pdf/../../other/secret", "%2e%2e/other/secret"]) {
      expect(await skills.load(key), key).toBeNull();
    }
    expect((await skills.list())[1]).toEqual({
      key: "pdf",
      title: "PDF",
      description: "Forms",
      tokens: 13,
      updatedAt: new Date("2026-03-01T10:00:00Z"),
      problem: null,
    });
  });

  test("lists, loads and writes only the skills among its keys", async () => {
    server.put("skills/tea", "Boil.");
    server.put("skills/cake", "Bake.");
    const skills = provider({ keys: ["tea"] });
    expect((await skills.list()).map(({ key }) => key)).toEqual(["tea"]);
    expect([await skills.load("tea"), await skills.load("cake")]).toEqual(["Boil.", null]);
    await expect(skills.set("cake", "Fry.")).rejects.toThrow(InvalidArgumentError);
  });

  test("is written in the place where a skill already is, and refuses keys and descriptions it cannot keep", async () => {
    server.put("skills/pdf/SKILL.md", "---\nname: PDF\ndescription: Forms\n---\nOld");
    const skills = provider();
    await skills.set("pdf", "New");
    expect([...server.objects.keys()]).toEqual(["skills/pdf/SKILL.md"]);
    expect(await skills.load("pdf")).toBe("New");
    expect(await skills.get()).toBe("- pdf: Forms");
    await expect(skills.set("../x", "X")).rejects.toThrow("cannot be the key of a skill");
    await expect(skills.set("x", "X", "ü".repeat(1_000))).rejects.toThrow("too long for a bucket");
  });

  test("is listed whole beyond 1,000 objects, and each is described once until it changes", {
    tags: "long",
  }, async () => {
    for (let n = 0; n < 1_101; n++) {
      server.put(`skills/s${n}`, `Text ${n}`, { "x-amz-meta-description": `Number ${n}` });
    }
    const skills = provider();
    const lines = (await skills.get())?.split("\n") ?? [];
    expect(lines).toHaveLength(1_101);
    expect(new Set(lines).size).toBe(1_101);
    expect(lines).toContain("- s1100: Number 1100");
    const asked = server.requests.length;
    server.put("skills/s7", "Changed", { "x-amz-meta-description": "Seven" });
    expect(await skills.get()).toContain("- s7: Seven\n");
    expect(server.requests.slice(asked).map((line) => line.split("?")[0])).toEqual([
      "GET /notes/",
      "GET /notes/",
      "GET /notes/skills/s7",
    ]);
    await expect(provider({ maxObjects: 1_100 }).get()).rejects.toThrow(
      "holds more than 1,100 objects under “skills/”",
    );
  });

  test("is not asked for its listing again while that is fresh", async () => {
    server.put("skills/a", "A");
    const skills = provider({ freshForMs: 60_000 });
    await Promise.all([skills.get(), skills.list(), skills.get()]);
    const asked = server.requests.length;
    expect(await skills.load("a")).toBe("A");
    await skills.get();
    expect(server.requests.slice(asked)).toEqual(["GET /notes/skills/a"]);
    await skills.set("b", "B");
    expect(await skills.get()).toBe("- a\n- b");
  });

  test("keeps what is wrong with one object to that skill", async () => {
    server.put("skills/binary", new Uint8Array([0xff, 0xfe, 0, 1]));
    server.put("skills/big", "x".repeat(10_001));
    server.put("skills/empty", "");
    server.put("skills/good", "Good");
    server.put("skills/latin", Buffer.from("caf\xe9", "latin1"));
    server.put("skills/long", `${"x".repeat(8_191)}ü – the head ends in a character`);
    const skills = provider({ maxBytes: 10_000 });
    expect((await skills.get())?.split("\n")).toEqual([
      "- big: (cannot be loaded: “big” is larger than 9 KB.)",
      "- binary: (cannot be loaded: “binary” is not UTF-8 text.)",
      "- empty: (cannot be loaded: “empty” is empty.)",
      "- good",
      "- latin: (cannot be loaded: “latin” is not UTF-8 text.)",
      "- long",
    ]);
    await expect(skills.load("latin")).rejects.toThrow("“latin” is not UTF-8 text.");
    await expect(skills.load("big")).rejects.toThrow("“big” is larger than");
    expect(await skills.load("good")).toBe("Good");
  });

  test("is read from services that know no ranges", async () => {
    server.behaviour = "no-ranges";
    server.put("skills/a", "x".repeat(100_000), { "x-amz-meta-description": "A" });
    expect(await provider().get()).toBe("- a: A");
  });
});

describe("A bucket that fails", () => {
  const secret = testCredentials.secretAccessKey;

  async function errorOf(work: Promise<unknown>): Promise<Error> {
    const error = await work.then(
      () => null,
      (reason: unknown) => reason,
    );
    if (!(error instanceof Error)) throw new Error("Nothing was thrown.");
    const everything = inspect(error, { depth: 20, showHidden: true });
    for (const hidden of [secret, encodeURIComponent(secret), "AKIDGROVETEST", "wrong-secret"]) {
      expect(everything).not.toContain(hidden);
    }
    return error;
  }

  test.each([
    [{ secretAccessKey: "wrong-secret" }, "refused the credentials (403 SignatureDoesNotMatch)."],
    [{ accessKeyId: "NOBODY" }, "refused the credentials (403 InvalidAccessKeyId)."],
  ])("for wrong credentials names the bucket and no secret", async (wrong, reason) => {
    server.put("skills/a", "A");
    const error = await errorOf(provider(wrong).get());
    expect(error.message).toBe(`Bucket “notes” at ${new URL(server.endpoint).host} ${reason}`);
    await errorOf(provider(wrong).load("a"));
    await errorOf(provider(wrong).set("a", "B"));
    expect(server.objects.get("skills/a")?.bytes.toString()).toBe("A");
  });

  test("because it does not exist, says so", async () => {
    const error = await errorOf(provider({ bucket: "nowhere" }).get());
    expect(error.message).toMatch(/^Bucket “nowhere” at 127\.0\.0\.1:\d+ does not exist/);
  });

  test("because nobody listens there, says so", async () => {
    const orphan = provider();
    await server.stop();
    const error = await errorOf(orphan.get());
    expect(error.message).toMatch(/cannot be reached \(ECONNREFUSED\)\.$/);
    server = await S3Server.start();
  });

  test("with an error of its own, or sends elsewhere, says so and is not followed", async () => {
    server.behaviour = "broken";
    expect((await errorOf(provider().get())).message).toMatch(/\(500 InternalError\)\.$/);
    server.behaviour = "redirect";
    expect((await errorOf(provider().get())).message).toMatch(/is in another region \(301\)\.$/);
  });

  test("to answer, or stops in mid-answer, is given up in time", async () => {
    server.put("skills/a", "A long text");
    server.behaviour = "never";
    const error = await errorOf(provider({ timeoutMs: 300 }).get());
    expect(error.message).toMatch(/did not answer within 0\.3 s\.$/);
    server.behaviour = "stall";
    const stalled = await errorOf(provider({ timeoutMs: 300 }).get());
    expect(stalled.message).toMatch(/did not answer within 0\.3 s\.$/);
  });

  test("takes down its own block alone, and comes back", async () => {
    server.put("skills/a", "A");
    server.behaviour = "broken";
    const session = Session.create(new InMemorySessionStore())
      .forSession("s1")
      .withContext("soul", { provider: { get: async () => "Be brief." } })
      .withContext("skills", { provider: provider() });
    const prompt = await session.freezeSystemPrompt();
    expect(prompt).toContain("Be brief.");
    expect(prompt).toContain("(not available: ");
    expect((await session.getContextBlock("skills"))?.error).toContain("Bucket “notes”");
    server.behaviour = "normal";
    expect(await session.freezeSystemPrompt()).toContain("- a");
  });

  test.each(["ftp://x", "no address", "http://key:secret@host"])(
    "because %j is no endpoint, says so at once",
    (endpoint) => {
      expect(() => provider({ endpoint })).toThrow("must be an http or https address");
    },
  );
});

test("who keeps no skills in a bucket never loads its client", { tags: "long" }, async () => {
  const script = `
    const { registerHooks } = await import("node:module");
    const seen = [];
    const resolve = (name, context, next) => (seen.push(name), next(name, context));
    registerHooks({ resolve });
    await import("./lib/skills/index.ts");
    console.log(seen.join(" "));`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...["--import", "tsx", "--input-type=module", "--eval"],
    script,
  ]);
  expect(stdout).toContain("s3-skill-provider");
  expect(stdout).not.toContain("s3mini");
});
