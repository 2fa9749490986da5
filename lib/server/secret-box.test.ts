import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SecretBox } from "./secret-box";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "grove-secrets-"));
});
afterEach(() => rm(folder, { recursive: true }));

const keyFile = () => join(folder, "keys", "secrets.key");

describe("SecretBox", () => {
  test("opens what it sealed, in another process too", async () => {
    const envelope = await new SecretBox(keyFile()).seal("sk-secret ✓", "owner|openai");
    expect(await new SecretBox(keyFile()).open(envelope, "owner|openai")).toBe("sk-secret ✓");
    expect(envelope).not.toContain("secret");
  });

  test("opens nothing for another context, another key or a changed envelope", async () => {
    const box = new SecretBox(keyFile());
    const envelope = await box.seal("secret", "one");
    const [version, nonce, tag, sealed = ""] = envelope.split(".");
    const changed = Buffer.from(sealed, "base64url");
    changed.writeUInt8(changed.readUInt8() ^ 1);
    expect(await box.open(envelope, "two")).toBeNull();
    expect(await new SecretBox(join(folder, "other")).open(envelope, "one")).toBeNull();
    expect(
      await box.open(`${version}.${nonce}.${tag}.${changed.toString("base64url")}`, "one"),
    ).toBeNull();
    expect(await box.open(`v2.${nonce}.${tag}.${sealed}`, "one")).toBeNull();
    expect(await box.open(`${version}.${nonce}.${tag?.slice(0, 6)}.${sealed}`, "one")).toBeNull();
    expect(await box.open("", "one")).toBeNull();
  });

  test("never seals the same twice alike", async () => {
    const box = new SecretBox(keyFile());
    expect(await box.seal("secret", "one")).not.toBe(await box.seal("secret", "one"));
  });

  test("keeps its key where only its user reads it", async () => {
    await new SecretBox(keyFile()).seal("secret", "one");
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, "keys"))).toEqual(["secrets.key"]);
  });

  test("makes one key when many begin at once", async () => {
    const boxes = Array.from({ length: 20 }, () => new SecretBox(keyFile()));
    const envelopes = await Promise.all(boxes.map((box) => box.seal("secret", "one")));
    const reader = new SecretBox(keyFile());
    const opened = await Promise.all(envelopes.map((envelope) => reader.open(envelope, "one")));
    expect(opened).toEqual(envelopes.map(() => "secret"));
    expect(await readdir(join(folder, "keys"))).toEqual(["secrets.key"]);
  });

  test("leaves a file that is no key as it is, and says so", async () => {
    const file = join(folder, "secrets.key");
    await writeFile(file, "not a key");
    await expect(new SecretBox(file).seal("secret", "one")).rejects.toThrow(
      /not a key of 32 bytes/,
    );
    expect(await readFile(file, "utf8")).toBe("not a key");
  });
});
