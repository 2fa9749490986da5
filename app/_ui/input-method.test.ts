import { beforeEach, expect, it, vi } from "vitest";
import { keepKeysOfInputMethods } from "./input-method";

const handler = vi.fn<(pressed: string) => void>();
let page: EventTarget;

beforeEach(() => {
  handler.mockClear();
  page = new EventTarget();
  keepKeysOfInputMethods(page);
  const tell = (event: Event) => handler(`${event.type} ${"code" in event ? event.code : ""}`);
  page.addEventListener("keydown", tell, { capture: true });
  page.addEventListener("keyup", tell);
});

function key(type: "keydown" | "keyup", code: string, { keyCode = 13, isComposing = false } = {}) {
  page.dispatchEvent(Object.assign(new Event(type), { code, keyCode, isComposing }));
}

it.each([
  [
    "Chrome and Firefox, which end the composition after the key",
    { keyCode: 229, isComposing: true },
  ],
  ["Safari, which ends it before", { keyCode: 229, isComposing: false }],
  ["a browser that names the key", { keyCode: 13, isComposing: true }],
])("keeps the keys of an input method from handlers in %s", (_, pressed) => {
  for (const code of ["Enter", "Escape", "ArrowDown", "Tab", "KeyN", ""]) {
    key("keydown", code, pressed);
    key("keyup", code);
  }
  expect(handler).not.toHaveBeenCalled();
});

it("hands on the next press of the same key, and its release", () => {
  key("keydown", "Enter", { keyCode: 229 });
  key("keydown", "Enter");
  key("keyup", "Enter");
  expect(handler.mock.calls.flat()).toEqual(["keydown Enter", "keyup Enter"]);
});

it("hands on a key whose release comes after the release of another", () => {
  key("keydown", "Escape", { keyCode: 229 });
  key("keydown", "ShiftLeft", { keyCode: 16 });
  key("keyup", "Escape", { keyCode: 27 });
  key("keyup", "ShiftLeft", { keyCode: 16 });
  expect(handler.mock.calls.flat()).toEqual(["keydown ShiftLeft", "keyup ShiftLeft"]);
});

it("takes an event without a key, as a browser sends that fills in a form", () => {
  page.dispatchEvent(new Event("keydown"));
  expect(handler).toHaveBeenCalledOnce();
});
