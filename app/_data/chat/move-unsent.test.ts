import { expect, it, onTestFinished, vi } from "vitest";
import { askAgain, takeAsked } from "@/app/_data/assistants/asked-assistant";
import { moveTogether, togetherModels } from "@/app/_data/models/use-models";
import { readStored, writeStored } from "@/app/_ui/store";
import { draftOf, writeDraft } from "./draft-store";
import { carryUnsent, moveUnsent } from "./move-unsent";
import { changeOutbox, newOutgoing, outbox } from "./outbox";

it("takes refused messages and the draft along to the id that a chat gets, and sends them there", () => {
  const [moved, other] = ["temporary-a", "b"].map((sessionId) =>
    newOutgoing({ sessionId, text: `In ${sessionId}` }),
  );
  if (!moved || !other) throw new Error("There are two messages.");
  for (const outgoing of [moved, other]) changeOutbox({ type: "written", outgoing });
  changeOutbox({ type: "refused", id: moved.id, reason: "This chat was kept meanwhile." });
  writeDraft("temporary-a", " Half a thought");
  const writer = { key: "writer", version: 1, name: "Writer" };
  askAgain("temporary-a", writer);
  togetherModels("temporary-a").update(() => ["one", "two"]);
  moveUnsent("temporary-a", "a");
  expect(outbox.read()).toEqual([{ ...moved, sessionId: "a" }, other]);
  expect([draftOf("a").read(), draftOf("temporary-a").read()]).toEqual([" Half a thought", ""]);
  expect([takeAsked("temporary-a"), takeAsked("a")]).toEqual([null, writer]);
  expect([togetherModels("temporary-a").read(), moveTogether("a", "none")]).toEqual([
    [],
    ["one", "two"],
  ]);
  togetherModels("none").update(() => []);
  for (const { id } of [moved, other]) changeOutbox({ type: "discarded", id });
  writeDraft("a", "");
});

it("joins a draft with one that waits where the chat goes, and keeps it where the browser stores no more", () => {
  const stored = new Map<string, string>();
  let isFull = false;
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => stored.delete(key),
    setItem(key: string, value: string) {
      if (isFull) throw new Error("QuotaExceededError");
      stored.set(key, value);
    },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  writeDraft("c", "Second");
  writeStored("p:draft:c", "First");
  isFull = true;
  carryUnsent("c", "p");
  expect([draftOf("c").read(), readStored("p:draft:c")]).toEqual(["Second", "First"]);
  isFull = false;
  carryUnsent("c", "p");
  expect([draftOf("c").read(), readStored("p:draft:c")]).toEqual(["", "First\n\nSecond"]);
});
