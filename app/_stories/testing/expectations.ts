import { expect } from "vitest";
import { isShown } from "./is-shown";
import { eventually, fieldValue, isEnabled, Locator, normalized } from "./locator";
import { isChecked, nameOf } from "./roles";
import { StoryPage } from "./story-page";

type Words = string | RegExp;

interface StoryMatchers {
  toBeVisible(): Promise<void>;
  toBeHidden(): Promise<void>;
  toBeEnabled(): Promise<void>;
  toBeDisabled(): Promise<void>;
  toBeChecked(): Promise<void>;
  toBeFocused(): Promise<void>;
  toHaveCount(count: number): Promise<void>;
  toHaveText(words: Words | readonly Words[]): Promise<void>;
  toContainText(words: Words): Promise<void>;
  toHaveValue(value: Words): Promise<void>;
  toHaveAttribute(name: string, value?: Words): Promise<void>;
  toHaveAccessibleName(name: Words): Promise<void>;
  toHaveClass(words: RegExp): Promise<void>;
  /** About a page. */
  toHaveURL(address: Words): Promise<void>;
  /** About a page. */
  toHaveTitle(title: Words): Promise<void>;
}

declare module "vitest" {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown>
    extends StoryMatchers {}
}

interface Expectation {
  readonly isNot?: boolean;
}

interface Found {
  readonly is: boolean;
  /** Told when the expectation fails. */
  readonly seen: unknown;
}

/** Looks again until the page is as it should be. */
async function until({ isNot = false }: Expectation, look: () => Found) {
  let last: Found | null = null;
  const pass = await eventually(() => {
    last = look();
    if (last.is === isNot) throw new Error("not yet");
    return last.is;
  }).catch((error: unknown) => {
    if (!last) throw error;
    return isNot;
  });
  return { pass, seen: last };
}

function matcher<Wanted extends unknown[]>(
  name: string,
  look: (received: Locator, ...wanted: Wanted) => Found,
) {
  return async function (this: Expectation, received: unknown, ...wanted: Wanted) {
    if (!(received instanceof Locator)) throw new TypeError(`${name} is about elements of a page.`);
    const { pass, seen } = await until(this, () => look(received, ...wanted));
    const message = () =>
      `expected ${received} ${this.isNot ? "not " : ""}${name} ${wanted.join(", ")}\nseen: ${JSON.stringify((seen as Found | null)?.seen)}`;
    return { pass, message };
  };
}

/** About one element, which may be missing. */
function about<Wanted extends unknown[]>(
  name: string,
  look: (element: HTMLElement, ...wanted: Wanted) => Found,
) {
  return matcher<Wanted>(name, (received, ...wanted) => {
    const element = received.element();
    return element ? look(element, ...wanted) : { is: false, seen: "no element" };
  });
}

function isText(text: string, words: Words): boolean {
  return words instanceof RegExp ? words.test(text) : normalized(text) === normalized(words);
}

function isState(name: string, is: (element: HTMLElement) => boolean) {
  return about(name, (element) => ({ is: is(element), seen: element.outerHTML.slice(0, 400) }));
}

function isWords(name: string, read: (element: HTMLElement) => string) {
  return about(name, (element, words: Words) => {
    const seen = read(element);
    return { is: isText(seen, words), seen };
  });
}

function addressed(words: Words): Words {
  return words instanceof RegExp ? words : new URL(words, location.href).href;
}

function ofPage(name: string, read: () => string, meant = (words: Words) => words) {
  return async function (this: Expectation, received: unknown, words: Words) {
    if (!(received instanceof StoryPage)) throw new TypeError(`${name} is about a page.`);
    const { pass } = await until(this, () => {
      const seen = read();
      return { is: isText(seen, meant(words)), seen };
    });
    return { pass, message: () => `expected ${name} ${words}\nseen: ${read()}` };
  };
}

expect.extend({
  toBeVisible: isState("toBeVisible", isShown),
  toBeHidden: matcher("toBeHidden", (received) => {
    const element = received.element();
    return { is: element === null || !isShown(element), seen: element?.outerHTML.slice(0, 400) };
  }),
  toBeEnabled: isState("toBeEnabled", isEnabled),
  toBeDisabled: isState("toBeDisabled", (element) => !isEnabled(element)),
  toBeChecked: isState("toBeChecked", isChecked),
  toBeFocused: isState("toBeFocused", (element) => document.activeElement === element),
  toHaveCount: matcher("toHaveCount", (received, count: number) => {
    const seen = received.count();
    return { is: seen === count, seen };
  }),
  toHaveText: matcher("toHaveText", (received, words: Words | readonly Words[]) => {
    if (typeof words === "string" || words instanceof RegExp) {
      const seen = received.element()?.textContent ?? null;
      return { is: seen !== null && isText(seen, words), seen };
    }
    const seen = received.elements().map(({ textContent }) => textContent);
    const is =
      seen.length === words.length && words.every((each, n) => isText(seen[n] ?? "", each));
    return { is, seen };
  }),
  toContainText: about("toContainText", (element, words: Words) => {
    const seen = normalized(element.textContent);
    return {
      is: words instanceof RegExp ? words.test(seen) : seen.includes(normalized(words)),
      seen,
    };
  }),
  toHaveValue: isWords("toHaveValue", fieldValue),
  toHaveAttribute: about("toHaveAttribute", (element, name: string, value?: Words) => {
    const seen = element.getAttribute(name);
    return { is: seen !== null && (value === undefined || isText(seen, value)), seen };
  }),
  toHaveAccessibleName: isWords("toHaveAccessibleName", nameOf),
  toHaveClass: isWords("toHaveClass", (element) => element.className),
  toHaveURL: ofPage("toHaveURL", () => location.href, addressed),
  toHaveTitle: ofPage("toHaveTitle", () => document.title),
});
