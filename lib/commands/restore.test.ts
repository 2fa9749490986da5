import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeExample, untouchedExample } from "@/lib/chat/data/example/make-example";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import { demoModelInfo } from "@/lib/demo/demo-model";
import { createTestDatabase } from "@/lib/postgres/testing/test-database";
import { openBackupFile } from "@/lib/storage/backup/backup-file";
import { restoreBackup } from "@/lib/storage/backup/restore-backup";
import { writeBackup } from "@/lib/storage/backup/write-backup";

const root = process.cwd();

test("A first start, which makes the example, does not stand in the way of a restore", {
  tags: "long",
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "grove-restore-"));
  const [source, target] = [await createTestDatabase(), await createTestDatabase()];
  onTestFinished(async () => {
    await Promise.all([source.drop(), target.drop(), rm(folder, { recursive: true })]);
  });
  const path = join(folder, "whole.zip");
  const { id } = await newOwner(source.sql).store.sessions.create("Mine");
  await writeBackup(source.sql, { path, root, groveVersion: "0.1.0" });

  const owner = newOwner(target.sql);
  await makeExample(owner, demoModelInfo);
  await owner.settings.change({ exampleMade: true });
  const file = await openBackupFile(path);
  const restore = () => restoreBackup(target.sql, file, { root, example: untouchedExample });
  await restore();
  expect(await target.sql`select session_id from chat_session`).toEqual([{ session_id: id }]);
  await expect(restore()).rejects.toThrow("Add --replace");
  await file.close();
});
