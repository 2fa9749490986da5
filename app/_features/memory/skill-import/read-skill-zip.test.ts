import { crc32, deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readSkillZip, zipLimits } from "./read-skill-zip";
import { makeZip } from "./testing/make-zip";

const problemsOf = async (archive: Blob) => (await readSkillZip("a.zip", archive)).problems;

/** Ten times what a quiet machine needs; reading such an archive whole would take far longer. */
const patienceMicroseconds = 10_000_000;

describe("readSkillZip", () => {
  test("finds every SKILL.md and counts what it leaves out", async () => {
    const archive = makeZip([
      { name: "skills/" },
      { name: "skills/tea/SKILL.md", content: "Boil water – 水" },
      { name: "skills/tea/leaves.md", content: "Leaves" },
      { name: "skills/cake/skill.md", content: "Bake" },
      { name: "skills/.git/SKILL.md", content: "hidden" },
      { name: "__MACOSX/skills/tea/._SKILL.md", content: "\0" },
    ]);
    expect(await readSkillZip("a.zip", archive)).toEqual({
      files: [
        { path: "skills/tea/SKILL.md", text: "Boil water – 水", problem: null },
        { path: "skills/cake/skill.md", text: "Bake", problem: null },
      ],
      companions: [
        {
          path: "skills/tea/leaves.md",
          skillPath: "skills/tea/SKILL.md",
          text: "Leaves",
          problem: null,
        },
      ],
      leftOut: 2,
      problems: [],
    });
  });

  test("takes what lies beside a skill, wherever it comes in the archive, but nothing too large", async () => {
    const skillPath = "SKILL.md";
    const archive = makeZip([
      { name: "notes/a.md", content: "A" },
      { name: "pot.png", content: Buffer.from([0x89, 0x50, 0, 1]) },
      { name: "film.mov", content: Buffer.alloc(400_001) },
      { name: "SKILL.md", content: "Brew" },
      { name: "inner/SKILL.md", content: "Pour" },
      { name: "inner/b.md", content: "B" },
    ]);
    expect(await readSkillZip("a.zip", archive)).toMatchObject({
      files: [{ path: "SKILL.md" }, { path: "inner/SKILL.md" }],
      companions: [
        { path: "notes/a.md", skillPath, text: "A" },
        { path: "pot.png", skillPath, problem: "“pot.png” is not a text file." },
        { path: "film.mov", skillPath, problem: "“film.mov” is larger than 400 KB." },
        { path: "inner/b.md", skillPath: "inner/SKILL.md", text: "B" },
      ],
      leftOut: 0,
      problems: [],
    });
    const tight = { ...zipLimits, companionBytes: 1 };
    const { companions } = await readSkillZip("a.zip", archive, { limits: tight });
    expect(companions.map(({ problem }) => problem)).toEqual([
      null,
      "“pot.png” is too large for one import.",
      "“film.mov” is larger than 400 KB.",
      "“inner/b.md” is too large for one import.",
    ]);
  });

  test("keeps what is wrong with one file to that file", async () => {
    const archive = makeZip([
      { name: "good/SKILL.md", content: "Good" },
      { name: "../../evil/SKILL.md", content: "Evil" },
      { name: "/absolute/SKILL.md", content: "Evil" },
      { name: "c:/SKILL.md", content: "Evil" },
      { name: "latin/SKILL.md", content: Buffer.from("caf\xe9", "latin1") },
      { name: "nul/SKILL.md", content: "a\0b" },
      { name: "locked/SKILL.md", content: "Locked", flags: 1 },
      {
        name: "damaged/SKILL.md",
        packed: { bytes: deflateRawSync(Buffer.from("Text")), crc: 1, size: 4 },
      },
    ]);
    const { files, problems } = await readSkillZip("a.zip", archive);
    expect(problems).toEqual([]);
    expect(files.map(({ problem }) => problem)).toEqual([
      null,
      "“../../evil/SKILL.md” has a path outside the archive.",
      "“/absolute/SKILL.md” has a path outside the archive.",
      "“c:/SKILL.md” has a path outside the archive.",
      "“latin/SKILL.md” is not a text file.",
      "“nul/SKILL.md” is not a text file.",
      "“locked/SKILL.md” is encrypted.",
      "“damaged/SKILL.md” is damaged.",
    ]);
  });

  test("refuses what is no archive, or only the beginning of one", async () => {
    const unreadable = ["“a.zip” cannot be read as a zip archive."];
    expect(await problemsOf(new Blob(["no archive"]))).toEqual(unreadable);
    expect(await problemsOf(new Blob([]))).toEqual(unreadable);
    const whole = makeZip([{ name: "a/SKILL.md", content: "Text" }]);
    expect(await problemsOf(whole.slice(0, whole.size - 30))).toEqual(unreadable);
  });

  test("stops inflating a bomb at the limit, whatever it says of its size", {
    tags: "long",
  }, async () => {
    const zeros = Buffer.alloc(60_000_000);
    const bytes = deflateRawSync(zeros);
    const bomb = (size: number) =>
      makeZip([{ name: "a/SKILL.md", packed: { bytes, crc: crc32(zeros), size } }]);
    const begun = process.cpuUsage();
    const honest = await readSkillZip("a.zip", bomb(zeros.length));
    expect(honest.files[0]?.problem).toMatch(/^“a\/SKILL\.md” is larger than 800 KB/);
    expect((await readSkillZip("a.zip", bomb(10))).files[0]?.text).toBeNull();
    expect(process.cpuUsage(begun).user).toBeLessThan(patienceMicroseconds);
    const small = makeZip([{ name: "a/SKILL.md", content: " ".repeat(700_000) }]);
    expect(await problemsOf(small)).toEqual(["“a.zip”: it unpacks to far more than a text would."]);
  });

  test("refuses files that together are too large", { tags: "long" }, async () => {
    const content = Array.from({ length: 60_000 }, () => Math.random().toString(36)).join("");
    const samples = Array.from({ length: 40 }, (_, n) => ({
      name: `s${n}/SKILL.md`,
      content: content.slice(0, 700_000),
    }));
    expect(await problemsOf(makeZip(samples))).toEqual([
      "“a.zip”: unpacked it is larger than 20 MB.",
    ]);
    const [sample] = samples;
    const long = makeZip([
      { name: "long/SKILL.md", content: `${sample?.content}${content.slice(0, 110_000)}` },
    ]);
    expect((await readSkillZip("a.zip", long)).files).toEqual([
      {
        path: "long/SKILL.md",
        text: null,
        problem: "“long/SKILL.md” is larger than 800 KB. Split it and add the parts.",
      },
    ]);
  });

  test("refuses files that overlap", async () => {
    const content = "Text";
    const archive = makeZip([
      { name: "a/SKILL.md", content },
      { name: "a/SKILL.md", sameAs: 0 },
      { name: "a/SKILL.md", sameAs: 0 },
    ]);
    expect(await problemsOf(archive)).toEqual(["“a.zip”: its files share the same bytes."]);
  });

  test("refuses 100,000 files in no time and little memory", { tags: "long" }, async () => {
    const packed = { bytes: Buffer.alloc(0), crc: 0, size: 0 };
    const archive = makeZip(
      Array.from({ length: 100_000 }, (_, n) => ({ name: `d${n}/x.md`, packed })),
    );
    const before = process.memoryUsage().rss;
    const begun = process.cpuUsage();
    expect(await problemsOf(archive)).toEqual(["“a.zip” holds more than 5,000 files."]);
    expect(process.cpuUsage(begun).user).toBeLessThan(patienceMicroseconds);
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
  });

  test("refuses more skills than anybody has, and an archive too large to be one of skills", {
    tags: "long",
  }, async () => {
    const many = Array.from({ length: 501 }, (_, n) => ({ name: `s${n}/SKILL.md`, content: "x" }));
    expect(await problemsOf(makeZip(many))).toEqual(["“a.zip” holds more than 500 skills."]);
    const small = { ...zipLimits, archiveBytes: 1_000 };
    const { problems } = await readSkillZip("a.zip", new Blob(["x".repeat(1_001)]), {
      limits: small,
    });
    expect(problems).toEqual(["“a.zip” is larger than 0.001 MB."]);
  });
});
