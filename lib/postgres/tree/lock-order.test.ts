import { describe, expect, test } from "vitest";
import { type Explored, explore } from "../testing/interleavings";
import { type Chat, type Protocol, sharedRows, type Write } from "../testing/shared-rows-model";

const chats: readonly Chat[] = ["first", "second", "third"];
const kinds = ["append", "reply", "fork", "change", "activate", "remove"] as const;
const all: readonly Write[] = chats.flatMap((chat) => kinds.map((kind) => ({ chat, kind })));
const pairs = all.flatMap((one, n) => all.slice(n).map((other) => [one, other]));

function explored(writes: readonly Write[], protocol: Protocol): Explored {
  return explore(() => sharedRows(writes, protocol));
}

const name = (writes: readonly Write[]) =>
  writes.map(({ kind, chat }) => `${kind} in ${chat}`).join(" with ");

function wrong(sets: readonly (readonly Write[])[], protocol: Protocol): string[] {
  return sets
    .filter((writes) => {
      const { problems, deadlocks } = explored(writes, protocol);
      return problems.size > 0 || deadlocks > 0;
    })
    .map(name);
}

describe("chats that share messages, in every order of their locks and statements", () => {
  test("lose messages, or wait for one another, when each write locks its own chat alone", () => {
    const change: Write = { kind: "change", chat: "first" };
    for (const kind of ["fork", "reply"] as const) {
      const { problems } = explored([{ kind, chat: "second" }, change], "own");
      expect([...problems]).toEqual(["fork-0 shows what another chat changed."]);
    }
    const opposite: Write = { kind: "change", chat: "second" };
    expect(explored([opposite, change], "own").deadlocks).toBeGreaterThan(0);
  });

  test("hold for each pair of writes when the owner's lock of loans comes after their chats'", () => {
    expect(wrong(pairs, "loans")).toEqual([]);
  });

  test("hold for each three writes of which two change messages", { tags: "long" }, () => {
    const isChanging = ({ kind }: Write) => kind === "change" || kind === "remove";
    const changing = all.filter(isChanging);
    const borrowing = all.filter((write) => !isChanging(write));
    const threes = changing.flatMap((one, n) =>
      changing.slice(n).flatMap((two) => borrowing.map((three) => [one, two, three])),
    );
    expect(wrong(threes, "loans")).toEqual([]);
  });
});
