import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AutosaveEvent,
  type AutosaveState,
  autosaveReducer,
  autosaveStart,
} from "./autosave-state";

const base = { content: "one", version: 3 };

function play(...events: AutosaveEvent[]): AutosaveState {
  return events.reduce(autosaveReducer, autosaveStart(base));
}

const typed = (text: string): AutosaveEvent => ({ type: "typed", text });
const saveStarted: AutosaveEvent = { type: "save-started" };

describe("autosave", () => {
  test("is dirty while the text differs and clean again when it does not", () => {
    expect(play(typed("two")).phase).toBe("dirty");
    expect(play(typed("two"), typed("one")).phase).toBe("clean");
  });

  test("starts dirty from a draft that was never saved", () => {
    expect(autosaveStart(base, "draft")).toMatchObject({ text: "draft", phase: "dirty", base });
    expect(autosaveStart(base, "one").phase).toBe("clean");
  });

  test("knows the new version once saved", () => {
    expect(play(typed("two"), saveStarted, { type: "saved", version: 4 })).toMatchObject({
      text: "two",
      phase: "saved",
      base: { content: "two", version: 4 },
    });
  });

  test("stays dirty when more was typed while saving", () => {
    const state = play(typed("two"), saveStarted, typed("three"), { type: "saved", version: 4 });
    expect(state).toMatchObject({
      text: "three",
      phase: "dirty",
      base: { content: "two", version: 4 },
    });
  });

  test("keeps the text and says why when saving failed", () => {
    const state = play(typed("two"), saveStarted, { type: "save-failed", error: "Offline." });
    expect(state).toMatchObject({ text: "two", phase: "failed", error: "Offline.", base });
  });

  test("goes back to the saved text when the rest is discarded", () => {
    const failed: AutosaveEvent = { type: "save-failed", error: "Too long." };
    const state = play(typed("two"), saveStarted, failed, { type: "discarded" });
    expect(state).toEqual(autosaveStart(base));
  });

  test("holds both texts in a conflict, also while typing on", () => {
    const theirs = { content: "other", version: 4 };
    const state = play(typed("two"), saveStarted, { type: "conflicted", theirs }, typed("two!"));
    expect(state).toMatchObject({ text: "two!", phase: "conflict", theirs });
  });

  test("saves mine over theirs, or takes theirs, as chosen", () => {
    const theirs = { content: "other", version: 4 };
    const conflict = play(typed("two"), saveStarted, { type: "conflicted", theirs });
    expect(autosaveReducer(conflict, { type: "keep-mine" })).toMatchObject({
      text: "two",
      phase: "dirty",
      base: theirs,
    });
    expect(autosaveReducer(conflict, { type: "take-theirs" })).toMatchObject({
      text: "other",
      phase: "clean",
      base: theirs,
    });
  });

  test("has no conflict with the same text written elsewhere", () => {
    const theirs = { content: "two", version: 4 };
    const state = play(typed("two"), saveStarted, { type: "conflicted", theirs });
    expect(state).toMatchObject({ phase: "saved", base: theirs });
  });

  test("follows the server while nothing was typed, and only then", () => {
    const now = { content: "new", version: 4 };
    expect(play({ type: "changed-elsewhere", now })).toMatchObject({ text: "new", base: now });
    expect(play(typed("two"), { type: "changed-elsewhere", now })).toMatchObject({
      text: "two",
      base,
    });
  });

  test("ignores an older version that arrives late", () => {
    const now = { content: "old", version: 2 };
    expect(play({ type: "changed-elsewhere", now }).text).toBe("one");
  });

  test("never loses what was typed last unless theirs was taken", () => {
    const anyEvent: fc.Arbitrary<AutosaveEvent> = fc.oneof(
      fc.string().map(typed),
      fc.constant(saveStarted),
      fc.nat().map((version): AutosaveEvent => ({ type: "saved", version })),
      fc.constant<AutosaveEvent>({ type: "save-failed", error: "Offline." }),
      fc.constant<AutosaveEvent>({ type: "conflicted", theirs: { content: "other", version: 9 } }),
      fc.constant<AutosaveEvent>({ type: "keep-mine" }),
    );
    fc.assert(
      fc.property(fc.array(anyEvent), fc.string(), fc.array(anyEvent), (before, text, later) => {
        const quiet = later.filter((event) => event.type !== "typed");
        expect(play(...before, typed(text), ...quiet).text).toBe(text);
      }),
    );
  });
});
