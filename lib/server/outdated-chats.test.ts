import { afterAll, beforeAll, expect, test } from "vitest";
import { asPerson, asSpace, inOwnSpace } from "@/lib/chat/core/person-in-space";
import { createKey } from "@/lib/chat/programs/keys";
import { newProgramSession } from "@/lib/chat/programs/program";
import { removeOldDeletions } from "@/lib/postgres/internal";
import { deleteOutdatedChats } from "./outdated-chats";
import { services } from "./services";
import { startTestServices, type TestServices } from "./testing/test-services";

let served: TestServices;
beforeAll(async () => {
  served = await startTestServices();
  await services().ready();
});
afterAll(() => served.end());

test("a key's old chats are deleted, and those that a person took over, or restores, stay", async () => {
  const shared = services();
  const owner = shared.acting(inOwnSpace(asPerson("ada")));
  const { key } = await createKey(owner, {
    ...{ name: "Agent", canWrite: true, usesMemory: false, models: null, monthlyLimit: null },
    ...{ keeps: "chats" as const, keptDays: 7 },
  });
  const { key: forever } = await createKey(owner, {
    ...{ name: "Writer", canWrite: true, usesMemory: false, models: null, monthlyLimit: null },
    ...{ keeps: "chats" as const },
  });
  const stored = await owner.keys.get(key.id);
  const unlimited = await owner.keys.get(forever.id);
  if (!stored || !unlimited) throw new Error("There are no keys.");
  const { sessions } = owner.store;
  for (const id of ["old", "new", "pinned", "archived", "tagged", "forked", "asked", "marked"])
    await newProgramSession({ owner, key: stored }, { id, title: id });
  await newProgramSession({ owner, key: unlimited }, { id: "forever", title: "forever" });
  await sessions.create("mine", { id: "mine" });
  await sessions.update("pinned", { pinned: true });
  await sessions.update("archived", { archived: true });
  await sessions.update("tagged", { tags: ["mine"] });
  const marked = owner.store.messages("marked");
  await marked.appendMessage({
    id: "m",
    role: "user",
    parts: [{ type: "text", text: "Keep me." }],
  });
  await marked.setPinned("m", true);
  await shared.sql`
    insert into chat_run (owner_id, run_id, kind, session_id, message_id, parent_id, model, status, lease_until)
    values ('ada', 'u1', 'answer', 'asked', 'u1', 'q', 'm', 'failed', now())`;
  await shared.sql`
    update chat_session set parent_session_id = 'forked' where owner_id = 'ada' and session_id = 'mine'`;
  await shared.sql`
    update chat_session set updated_at = now() - interval '8 days'
    where owner_id = 'ada' and session_id <> 'new'`;

  const left = async () =>
    (
      await shared.sql<{ id: string }[]>`
      select session_id as id from chat_session where owner_id = 'ada' and deleted_at is null order by 1`
    ).map(({ id }) => id);
  const all = await left();
  await deleteOutdatedChats(shared);
  expect(await left()).toEqual(all.filter((id) => id !== "old"));
  const [deleted] = await owner.deletions.list({ limit: 10 });
  expect(deleted).toMatchObject({ kind: "session", sessionId: "old" });

  await sessions.restore("old", deleted?.id);
  await deleteOutdatedChats(shared);
  expect(await left()).toEqual(all);

  await shared.sql`update chat_session set updated_at = now() - interval '50 days' where session_id = 'old'`;
  await shared.sql`update chat_deletion set created_at = now() - interval '40 days' where session_id = 'old'`;
  const removeOld = () =>
    removeOldDeletions(shared.sql, { olderThanMs: shared.deletedKeptMs, most: 10 });
  await removeOld();
  await deleteOutdatedChats(shared);
  expect(await left()).toEqual(all);

  await shared.sql`update chat_session set updated_at = now() - interval '8 days' where session_id = 'old'`;
  await removeOld();
  await deleteOutdatedChats(shared);
  expect(await left()).toEqual(all.filter((id) => id !== "old"));
});

test("a key's old chats in a project are deleted, but for those of a deleted or lately restored one", async () => {
  const shared = services();
  const who = { personId: asPerson("bo"), spaceId: asSpace(`p-${crypto.randomUUID()}`) };
  await shared.projects.make(who, "Tea");
  const { key } = await createKey(shared.acting(inOwnSpace(who.personId)), {
    ...{ name: "Agent", canWrite: true, usesMemory: false, models: null, monthlyLimit: null },
    ...{ keeps: "chats" as const, keptDays: 7, space: who.spaceId },
  });
  const owner = shared.acting(who);
  const stored = await owner.keys.get(key.id);
  if (!stored) throw new Error("There is no key.");
  await newProgramSession({ owner, key: stored }, { id: "old", title: "old" });
  await shared.sql`
    update chat_session set updated_at = now() - interval '8 days' where owner_id = ${who.spaceId}`;
  await shared.projects.delete(who.spaceId);
  await deleteOutdatedChats(shared);
  await shared.projects.restore(who.spaceId);
  await deleteOutdatedChats(shared);
  expect(await owner.store.sessions.get("old")).not.toBeNull();
  await shared.sql`update account_space set restored_at = now() - interval '8 days'`;
  await deleteOutdatedChats(shared);
  expect(await owner.store.sessions.get("old")).toBeNull();
});
