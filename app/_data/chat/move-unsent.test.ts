import { expect, it } from "vitest";
import { askAgain, takeAsked } from "@/app/_data/assistants/asked-assistant";
import { moveTogether, togetherModels } from "@/app/_data/models/use-models";
import { draftOf, writeDraft } from "./draft-store";
import { moveUnsent } from "./move-unsent";
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
