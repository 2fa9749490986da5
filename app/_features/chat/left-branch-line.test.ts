import { describe, expect, it } from "vitest";
import { entry, page, path } from "@/app/_data/testing/wire-builders";
import { nextLeftBranch } from "./left-branch-line";
import { cutAfter, emptyWindow, openWindow } from "./transcript-window";

const train = openWindow(page(path("q1", "a1", "train", "a2")));
const boat = openWindow(page(path("q1", "a1", "boat", "a3")));
const foot = openWindow(page(path("q1", "a1", "foot")));

describe("nextLeftBranch", () => {
  it("names what is left by its own first words, not by those that are shared", () => {
    expect(nextLeftBranch(null, { from: train, to: boat })).toEqual({
      from: "a2",
      to: "a3",
      title: "train",
      isDismissed: false,
    });
  });

  it("prefers the label a message has", () => {
    const labelled = {
      ...train,
      entries: train.entries.with(2, entry("train", "a1", { label: "by rail", position: 3 })),
    };
    expect(nextLeftBranch(null, { from: labelled, to: boat })?.title).toBe("by rail");
  });

  it("says of a shorter path what of it was left", () => {
    const cut = cutAfter(train, "a1");
    expect(nextLeftBranch(null, { from: train, to: cut })?.title).toBe("train");
    expect(nextLeftBranch(null, { from: train, to: emptyWindow })).toMatchObject({
      to: null,
      title: "q1",
    });
  });

  it("does not take for left what lies before the loaded part of the path in view", () => {
    const newest = openWindow(page(boat.entries.slice(2), { hasMore: true }));
    expect(nextLeftBranch(null, { from: train, to: newest })?.title).toBe("train");
  });

  it("keeps to the branch that was left while others are only passed by", () => {
    const first = nextLeftBranch(null, { from: train, to: boat });
    expect(nextLeftBranch(first, { from: boat, to: foot })).toMatchObject({
      from: "a2",
      to: "foot",
      title: "train",
    });
    const dismissed = first && { ...first, isDismissed: true };
    expect(nextLeftBranch(dismissed, { from: boat, to: foot })?.isDismissed).toBe(true);
  });

  it("is over when one is back", () => {
    const first = nextLeftBranch(null, { from: train, to: boat });
    expect(nextLeftBranch(first, { from: boat, to: train })).toBeNull();
    const start = nextLeftBranch(null, { from: train, to: emptyWindow });
    expect(nextLeftBranch(start, { from: emptyWindow, to: train })).toBeNull();
  });

  it("starts over once the path has continued", () => {
    const first = nextLeftBranch(null, { from: train, to: boat });
    const longer = openWindow(page(path("q1", "a1", "boat", "a3", "sail")));
    expect(nextLeftBranch(first, { from: longer, to: train })).toMatchObject({
      from: "sail",
      title: "boat",
    });
  });

  it("leaves nothing on the way from nowhere", () => {
    expect(nextLeftBranch(null, { from: emptyWindow, to: train })).toBeNull();
  });
});
