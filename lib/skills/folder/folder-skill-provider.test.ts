import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { InMemorySessionStore, Session } from "../../session";
import { describeReadableSkills } from "../../session/testing";
import { FolderSkillProvider } from "../index";

const run = promisify(execFile);
let base: string;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "grove-skills-"));
});
afterAll(() => rm(base, { recursive: true, force: true }));

/** A folder of its own with these files in it. */
async function folderOf(files: Record<string, string | Uint8Array> = {}): Promise<string> {
  const root = join(await mkdtemp(join(base, "case-")), "skills");
  await mkdir(root);
  for (const [path, content] of Object.entries(files)) await write(join(root, path), content);
  return root;
}

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

function skillFile(description: string | undefined, content: string): string {
  const line = description === undefined ? "" : `description: ${description}\n`;
  return `---\nname: Some name\n${line}---\n\n${content}\n`;
}

describeReadableSkills("FolderSkillProvider", async (skills) => {
  const files = skills.map(({ key, description, content }) => [
    `${key}/SKILL.md`,
    skillFile(description, content),
  ]);
  return new FolderSkillProvider(await folderOf(Object.fromEntries(files)));
});

describe("A folder of skills", () => {
  test("is a block whose skills a model lists and loads, with the files beside them", async () => {
    const folder = await folderOf({
      "pdf/SKILL.md":
        "---\nname: pdf\ndescription: Fills in PDF forms.\n---\nRead reference/fields.md first.",
      "pdf/reference/fields.md": "Fields have names.",
    });
    const session = Session.create(new InMemorySessionStore())
      .forSession("s1")
      .withContext("skills", { provider: new FolderSkillProvider(folder) });

    const prompt = await session.freezeSystemPrompt();
    const { load_context } = await session.tools();
    expect(prompt).toContain("SKILLS [loadable]");
    expect(prompt).toContain("- pdf: Fills in PDF forms.");
    const load = (key: string) =>
      load_context?.execute?.(
        { label: "skills", key },
        { toolCallId: key, messages: [], context: {} },
      );
    expect(await load("pdf")).toBe("Read reference/fields.md first.");
    expect(await load("pdf/reference/fields.md")).toBe("Fields have names.");
    expect(await load("pdf/nothing.md")).toMatchObject({ reason: "Not found: pdf/nothing.md" });
  });

  test("lists and loads only the skills among its keys, with their files", async () => {
    const folder = await folderOf({
      "tea/SKILL.md": "Boil.",
      "tea/green.md": "Less.",
      "tea-time/SKILL.md": "At five.",
    });
    const skills = new FolderSkillProvider(folder, { keys: ["tea"] });
    expect((await skills.list()).map(({ key }) => key)).toEqual(["tea"]);
    expect([await skills.load("tea"), await skills.load("tea/green.md")]).toEqual([
      "Boil.",
      "Less.",
    ]);
    expect(await skills.load("tea-time")).toBeNull();
    expect(await new FolderSkillProvider(folder, { keys: [] }).get()).toBeNull();
  });

  test("finds skills in folders of folders, under their path", async () => {
    const skills = new FolderSkillProvider(
      await folderOf({
        "writing/letters/SKILL.md": "Dear …",
        "writing/letters/formal/SKILL.md": "Dear Sir",
        "writing/letters/formal/examples.md": "Examples",
        "notes.md": "no skill",
        ".git/SKILL.md": "hidden",
        "node_modules/pkg/SKILL.md": "of somebody else",
      }),
    );
    expect(await skills.get()).toBe("- writing/letters\n- writing/letters/formal");
    expect(await skills.load("writing/letters/formal")).toBe("Dear Sir");
    expect(await skills.load("writing/letters/formal/examples.md")).toBe("Examples");
    expect(await skills.load("notes.md")).toBeNull();
    expect(await skills.load(".git/SKILL.md")).toBeNull();
  });

  test("that is itself one skill is listed under its name", async () => {
    const root = await folderOf({ "SKILL.md": "Do it.", "more.md": "More" });
    const skills = new FolderSkillProvider(root);
    expect(await skills.get()).toBe("- skills");
    expect(await skills.load("skills/more.md")).toBe("More");
  });

  test("says for a person what each skill is and costs", async () => {
    const skills = new FolderSkillProvider(
      await folderOf({ "tea/SKILL.md": skillFile("Brews tea.", "Boil water first.") }),
    );
    expect(await skills.list()).toEqual([
      {
        key: "tea",
        title: "Some name",
        description: "Brews tea.",
        tokens: 5,
        updatedAt: expect.any(Date),
        problem: null,
      },
    ]);
  });

  test("is read again when a file changes, appears, disappears or is replaced by one of the same time and size", async () => {
    const root = await folderOf({ "a/SKILL.md": "One" });
    const skills = new FolderSkillProvider(root);
    expect(await skills.load("a")).toBe("One");
    await write(join(root, "a/SKILL.md"), "Another");
    expect(await skills.load("a")).toBe("Another");
    await write(join(root, "other"), "Differs");
    const now = new Date();
    await utimes(join(root, "a/SKILL.md"), now, now);
    await skills.list();
    await utimes(join(root, "other"), now, now);
    await rename(join(root, "other"), join(root, "a/SKILL.md"));
    expect(await skills.load("a")).toBe("Differs");
    await write(join(root, "b/SKILL.md"), "New");
    expect(await skills.get()).toBe("- a\n- b");
    await rm(join(root, "a"), { recursive: true });
    expect(await skills.get()).toBe("- b");
    expect(await skills.load("a")).toBeNull();
  });

  test("never leaves the folder, by whatever key or link", async () => {
    const root = await folderOf({ "a/SKILL.md": "Fine", "a/inside.md": "Inside" });
    const secret = join(dirname(root), "secret.md");
    await write(secret, "SECRET");
    await write(join(dirname(root), "outer/SKILL.md"), "SECRET");
    await symlink(secret, join(root, "a/link.md"));
    await symlink(join(root, "a/inside.md"), join(root, "a/inner-link.md"));
    await mkdir(join(root, "b"));
    await symlink(secret, join(root, "b/SKILL.md"));
    await symlink(join(dirname(root), "outer"), join(root, "c"));
    await symlink(root, join(root, "a/loop"));
    const skills = new FolderSkillProvider(root);

    expect(await skills.get()).toBe(
      [
        "- a",
        "- b: (cannot be loaded: “SKILL.md” is a link that leads out of the folder.)",
        "- c: (cannot be loaded: it is a link that leads out of the folder)",
      ].join("\n"),
    );
    await expect(skills.load("a/link.md")).rejects.toThrow("leads out of the folder");
    await expect(skills.load("b")).rejects.toThrow("leads out of the folder");
    await expect(skills.load("c")).rejects.toThrow("leads out of the folder");
    expect(await skills.load("a/inner-link.md")).toBe("Inside");
    const attempts = ["a/../../secret.md", "a/..", "../secret.md", secret, "a/\\..\\secret.md"];
    for (const key of attempts) expect(await skills.load(key), key).toBeNull();
  });

  test("keeps what is wrong with one file to that skill", async () => {
    const root = await folderOf({
      "binary/SKILL.md": new Uint8Array([0x50, 0x4b, 0, 1]),
      "empty/SKILL.md": "---\nname: empty\n---\n",
      "good/SKILL.md": "Good",
      "good/big.md": "x".repeat(101),
      "latin/SKILL.md": Buffer.from("caf\xe9", "latin1"),
      "long/SKILL.md": "x".repeat(101),
      "sly/SKILL.md": '---\ndescription: "One\\n- other: Two"\n---\nText',
    });
    await mkdir(join(root, "folder/SKILL.md"), { recursive: true });
    await mkdir(join(root, "pipe"));
    await run("mkfifo", [join(root, "pipe/SKILL.md")]);
    const skills = new FolderSkillProvider(root, { maxBytes: 100 });
    expect((await skills.get())?.split("\n")).toEqual([
      "- binary: (cannot be loaded: “SKILL.md” is not UTF-8 text.)",
      "- empty: (cannot be loaded: “SKILL.md” has no instructions in it.)",
      "- folder: (cannot be loaded: “SKILL.md” is not a file.)",
      "- good",
      "- latin: (cannot be loaded: “SKILL.md” is not UTF-8 text.)",
      "- long: (cannot be loaded: “SKILL.md” is larger than 100 bytes.)",
      "- pipe: (cannot be loaded: “SKILL.md” is not a file.)",
      "- sly: One - other: Two",
    ]);
    expect(await skills.load("good")).toBe("Good");
    await expect(skills.load("good/big.md")).rejects.toThrow("“good/big.md” is larger than");
    await expect(skills.load("latin")).rejects.toThrow("“latin”: “SKILL.md” is not UTF-8 text.");
  });

  test("that is not there, or is a file, says so", async () => {
    const root = await folderOf({ file: "text" });
    const missing = new FolderSkillProvider(join(root, "nowhere"));
    await expect(missing.get()).rejects.toThrow(
      `The folder ${join(root, "nowhere")} does not exist.`,
    );
    await expect(new FolderSkillProvider(join(root, "file")).get()).rejects.toThrow(
      "is not a folder",
    );
  });

  test("with far too much in it is refused before it is all read", { tags: "long" }, async () => {
    const root = await folderOf();
    const names = Array.from({ length: 20_001 }, (_, n) => `d${n}`);
    // One after another without waiting, which takes a thirtieth of the time.
    for (const name of names) mkdirSync(join(root, name));
    await expect(new FolderSkillProvider(root).get()).rejects.toThrow(
      "holds more than 20,000 files",
    );
  });
});
