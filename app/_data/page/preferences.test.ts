import { expect, test } from "vitest";
import { sends } from "./preferences";

const enter = { key: "Enter", shiftKey: false, ctrlKey: false, metaKey: false };

test.each([
  ["Enter", enter, { sendKey: "enter", isTouch: false }, true],
  ["Enter on a touch screen", enter, { sendKey: "enter", isTouch: true }, false],
  [
    "Ctrl+Enter on a touch screen",
    { ...enter, ctrlKey: true },
    { sendKey: "enter", isTouch: true },
    true,
  ],
  ["Shift+Enter", { ...enter, shiftKey: true }, { sendKey: "enter", isTouch: false }, false],
  ["Enter where Ctrl+Enter is chosen", enter, { sendKey: "mod-enter", isTouch: false }, false],
  [
    "⌘+Enter where Ctrl+Enter is chosen",
    { ...enter, metaKey: true },
    { sendKey: "mod-enter", isTouch: false },
    true,
  ],
  [
    "another key",
    { ...enter, key: "a", ctrlKey: true },
    { sendKey: "enter", isTouch: false },
    false,
  ],
] as const)("%s sends or breaks the line", (_, press, place, expected) => {
  expect(sends(press, place)).toBe(expected);
});
