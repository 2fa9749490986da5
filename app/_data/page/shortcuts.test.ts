import { describe, expect, it } from "vitest";
import { type KeyPress, shortcutOf } from "./shortcuts";

const press = (key: string, change: Partial<KeyPress> = {}): KeyPress => ({
  key,
  metaKey: false,
  ctrlKey: false,
  shiftKey: false,
  altKey: false,
  ...change,
});

describe("shortcutOf", () => {
  it("knows every shortcut with either command key", () => {
    const found = [
      press("k", { metaKey: true }),
      press("O", { ctrlKey: true, shiftKey: true }),
      press("b", { ctrlKey: true }),
      press(".", { metaKey: true }),
      press("p", { metaKey: true }),
      press("?", { shiftKey: true }),
    ].map((key) => shortcutOf(key, { isTyping: false, isApple: false }));
    expect(found).toEqual(["palette", "new-chat", "sidebar", "drawer", "print", "help"]);
  });

  it("leaves plain characters to the text being written", () => {
    expect(
      shortcutOf(press("?", { shiftKey: true }), { isTyping: true, isApple: false }),
    ).toBeNull();
    expect(shortcutOf(press("k"), { isTyping: true, isApple: false })).toBeNull();
  });

  it("leaves combinations with Alt alone, which type characters on many keyboards", () => {
    expect(
      shortcutOf(press("k", { ctrlKey: true, altKey: true }), { isTyping: false, isApple: false }),
    ).toBeNull();
  });

  it("prints by ⌘P alone on Apple's systems, where Ctrl+P moves up a line", () => {
    const found = [press("p", { metaKey: true }), press("p", { ctrlKey: true })].map((key) =>
      shortcutOf(key, { isTyping: true, isApple: true }),
    );
    expect(found).toEqual(["print", null]);
  });
});
