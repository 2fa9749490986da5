import { describe, expect, test } from "vitest";
import { SessionManager } from "../../session-manager";
import type { SessionStore } from "../../session-store";
import { user } from "../builders";
import type { MakeStore } from "./make-store";

export function sessionSearchGuarantees(make: MakeStore): void {
  describe("session matches", () => {
    test("come once each, with their best hits", async () => {
      const store = await make();
      await fill(
        store,
        "p",
        Array.from({ length: 7 }, (_, n) => `apple ${n}`),
      );
      await fill(store, "o", ["apple"]);
      const sessions = SessionManager.create(store);
      const matches = await sessions.searchSessions("apple");
      const found = matches.map(({ sessionId, hits }) => [sessionId, hits.length]);
      expect(found.toSorted()).toEqual([
        ["o", 1],
        ["p", 5],
      ]);
      expect(matches.map(({ sessionTitle }) => sessionTitle).toSorted()).toEqual(["Of o", "Of p"]);
      expect(matches.map(({ score, hits }) => score - (hits[0]?.score ?? 0))).toEqual([0, 0]);
      expect(await sessions.searchSessions("apple", { limit: 1 })).toHaveLength(1);
    });

    test("need one of the words, unless all are asked for", async () => {
      const store = await make();
      await fill(store, "o", ["a billing discrepancy"]);
      await fill(store, "p", ["billing in general"]);
      const sessions = SessionManager.create(store);
      const found = async (match?: "all") =>
        (await sessions.searchSessions("discrepancy billing invoice ", { match })).map(
          ({ sessionId }) => sessionId,
        );
      expect(await found()).toEqual(["o", "p"]);
      expect(await found("all")).toEqual([]);
    });

    test("come from every session, however many messages of one match", async () => {
      const store = await make();
      const known = Array.from({ length: 30 }, (_, n) => `s${n}`);
      for (const id of known) await fill(store, id, repeated("An invoice.", 20));
      await fill(store, "long", repeated("An invoice, and an invoice.", 420));
      const sessions = SessionManager.create(store);
      const found = await sessions.searchSessions("invoice ", { limit: 31 });
      expect(found.map(({ sessionId }) => sessionId).toSorted()).toEqual(
        [...known, "long"].toSorted(),
      );
      expect(await sessions.searchSessions("invoice ", { limit: 7 })).toHaveLength(7);
      const narrowed = await sessions.searchSessions("invoice in:s3 ", { limit: 31 });
      expect(narrowed.map(({ sessionId, hits }) => [sessionId, hits.length])).toEqual([["s3", 3]]);
    });

    test("come with a rare word before those with frequent ones", async () => {
      const store = await make();
      await fill(store, "rare", ["A zebra."]);
      for (let n = 0; n < 30; n++)
        await fill(store, `s${n}`, repeated("An invoice, one more invoice, and its total.", 20));
      const sessions = SessionManager.create(store);
      for (const line of ["invoice zebra ", "zebra invoice total "])
        expect((await sessions.searchSessions(line))[0]?.sessionId).toBe("rare");
      const [hit] = await sessions.search("invoice total zebra ", { match: "any", limit: 1 });
      expect(hit?.sessionId).toBe("rare");
    });

    test("are found beside deleted sessions and those of other tags", async () => {
      const store = await make();
      await store.sessions.create("Kept", { id: "kept", tags: ["tea"] });
      await store.messages("kept").appendMessage(user("m", "An invoice."));
      await fill(store, "other", repeated("An invoice.", 250));
      await fill(store, "gone", repeated("An invoice.", 450));
      await store.sessions.delete("gone");
      const sessions = SessionManager.create(store);
      const found = async (options = {}) =>
        (await sessions.searchSessions("invoice ", options)).map(({ sessionId }) => sessionId);
      expect((await found()).toSorted()).toEqual(["kept", "other"]);
      expect(await found({ tag: "tea", limit: 1 })).toEqual(["kept"]);
    });
  });
}

async function fill(store: SessionStore, id: string, texts: readonly string[]): Promise<void> {
  await store.sessions.create(`Of ${id}`, { id });
  await store.messages(id).appendMessages(texts.map((text, n) => user(`m${n}`, text)));
}

function repeated(text: string, times: number): string[] {
  return Array.from({ length: times }, () => text);
}
