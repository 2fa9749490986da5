import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fireEvent, queryAllByLabelText } from "@testing-library/dom";
import { type UserEvent, userEvent } from "@testing-library/user-event";
import { isShown } from "./is-shown";
import { isChecked, nameOf, type RoleOptions, withRole } from "./roles";

type Words = string | RegExp;

interface FilterOptions {
  readonly hasText?: Words;
  readonly hasNotText?: Words;
  readonly has?: Locator;
}

export interface GivenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A machine that is doing other things, too, takes a minute for some steps. */
const patienceMs = 60_000;

type Find = () => HTMLElement[];

/** Elements of the page as they are when something is asked of them, by the names of Playwright's. */
export class Locator {
  readonly #find: Find;
  readonly #path: string;

  constructor(find: Find, path: string) {
    this.#find = find;
    this.#path = path;
  }

  toString(): string {
    return this.#path;
  }

  elements(): HTMLElement[] {
    return this.#find();
  }

  /** At most one. @throws where there are several. */
  element(): HTMLElement | null {
    const [found = null, ...others] = this.#find();
    if (others.length > 0)
      throw new Error(`${this} is ${others.length + 1} elements, where one is meant.`);
    return found;
  }

  getByRole(role: string, { name, exact = false, ...options }: RoleOptions = {}) {
    const find = (within: HTMLElement) =>
      withRole(within, role, options).filter(
        (each) => name === undefined || says(nameOf(each), name, exact),
      );
    return this.#below(find, `role ${role} ${name ?? ""}`);
  }

  getByText(words: Words, { exact = false } = {}) {
    return this.#below((within) => smallestWith(within, words, exact), `text ${words}`);
  }

  getByLabel(words: Words, { exact = false } = {}) {
    const find = (within: HTMLElement) =>
      queryAllByLabelText(within, (label) => says(label, words, exact));
    return this.#below(find, `label ${words}`);
  }

  locator(selector: string, filter: FilterOptions = {}) {
    const find = (within: HTMLElement) => [...within.querySelectorAll<HTMLElement>(selector)];
    return this.#below(find, selector).filter(filter);
  }

  /** The nearest around each. */
  closest(selector: string): Locator {
    const around = (found: HTMLElement[]) => [
      ...new Set(found.flatMap((each) => each.closest<HTMLElement>(selector) ?? [])),
    ];
    return this.#among(around, `closest ${selector}`);
  }

  filter({ hasText, hasNotText, has }: FilterOptions): Locator {
    const isMeant = (each: HTMLElement) =>
      (hasText === undefined || says(each.textContent, hasText, false)) &&
      (hasNotText === undefined || !says(each.textContent, hasNotText, false)) &&
      (has === undefined || has.elements().some((inner) => each.contains(inner)));
    return this.#among((found) => found.filter(isMeant), `filter ${hasText ?? hasNotText ?? has}`);
  }

  and(other: Locator): Locator {
    const isBoth = (each: HTMLElement) => other.elements().includes(each);
    return this.#among((found) => found.filter(isBoth), `and ${other}`);
  }

  or(other: Locator): Locator {
    return new Locator(() => [...this.#find(), ...other.elements()], `${this} or ${other}`);
  }

  first(): Locator {
    return this.nth(0);
  }

  last(): Locator {
    return this.nth(-1);
  }

  nth(index: number): Locator {
    return this.#among((found) => found.slice(index, index + 1 || undefined), `nth ${index}`);
  }

  count(): number {
    return this.#find().length;
  }

  isVisible(): boolean {
    const found = this.element();
    return found !== null && isShown(found);
  }

  async waitFor(): Promise<void> {
    await this.#reach();
  }

  async click(): Promise<void> {
    const element = await this.#reach(isPressable);
    await actor().click(element);
  }

  async hover(): Promise<void> {
    await actor().hover(await this.#reach(isInReach));
  }

  async blur(): Promise<void> {
    (await this.#reach()).blur();
  }

  async dispatchEvent(name: string, init: object = {}): Promise<void> {
    fireEvent(await this.#reach(), createEvent(name, init));
  }

  async focus(): Promise<void> {
    (await this.#reach()).focus();
  }

  async fill(value: string): Promise<void> {
    const field = await this.#reach(isEnabled);
    field.focus();
    fireEvent.input(field, { target: { value } });
    await nextFrame();
  }

  async check(): Promise<void> {
    if (!isChecked(await this.#reach(isEnabled))) await this.click();
  }

  async uncheck(): Promise<void> {
    if (isChecked(await this.#reach(isEnabled))) await this.click();
  }

  async press(keys: string): Promise<void> {
    (await this.#reach()).focus();
    await pressKeys(keys);
  }

  async pressSequentially(text: string): Promise<void> {
    (await this.#reach()).focus();
    await typeText(text);
  }

  /** Paths, or files as they are. */
  async setInputFiles(given: string | GivenFile | readonly GivenFile[]): Promise<void> {
    const field = await this.#reach(isEnabled, () => true);
    const files = typeof given === "string" ? [await fileAt(given)] : [given].flat().map(fileOf);
    await userEvent.setup({ ...quick, applyAccept: false }).upload(field, files);
  }

  async textContent(): Promise<string> {
    return (await this.#reach()).textContent;
  }

  async innerText(): Promise<string> {
    return this.textContent();
  }

  async getAttribute(name: string): Promise<string | null> {
    return (
      await this.#reach(
        () => true,
        () => true,
      )
    ).getAttribute(name);
  }

  async inputValue(): Promise<string> {
    return fieldValue(await this.#reach());
  }

  async allTextContents(): Promise<string[]> {
    return this.#find().map(({ textContent }) => textContent);
  }

  async evaluate<Element extends HTMLElement, T>(act: (element: Element) => T): Promise<T> {
    return act((await this.#reach()) as Element);
  }

  /** Waits until one element is there for two frames, as for a browser: what happened before has had its effects. */
  async #reach(isReady: (element: HTMLElement) => boolean = () => true, isThere = isShown) {
    const look = () => {
      const found = this.element();
      if (!found || !isThere(found)) throw new Error(`There is no ${this}.`);
      if (!isReady(found)) throw new Error(`${this} is disabled or covered.`);
      return found;
    };
    for (;;) {
      const found = await eventually(look);
      await nextFrame();
      if (isThere(found) && isReady(found)) return found;
    }
  }

  #below(find: (within: HTMLElement) => HTMLElement[], path: string): Locator {
    const found = () => [...new Set(this.#find().flatMap(find))];
    return new Locator(found, `${this.#path} › ${path}`);
  }

  #among(choose: (found: HTMLElement[]) => HTMLElement[], path: string): Locator {
    return new Locator(() => choose(this.#find()), `${this.#path} › ${path}`);
  }
}

const lookMs = 15;

/** Looks again, for a while, where something is not yet as it will be. */
export async function eventually<T>(look: () => T): Promise<T> {
  const end = performance.now() + patienceMs;
  for (;;) {
    try {
      return look();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await delay(lookMs);
  }
}

const quick = { delay: null, pointerEventsCheck: 0 };

let acting: UserEvent | null = null;

/** One for a document: it remembers which keys are held. */
function actor(): UserEvent {
  acting ??= userEvent.setup(quick);
  return acting;
}

export function forgetKeys(): void {
  acting = null;
}

/** Keys are named the way Playwright does, such as `Control+Shift+K` or `Enter`. */
export async function pressKeys(keys: string): Promise<void> {
  await nextFrame();
  const names = keys === "+" ? ["+"] : keys.split("+");
  const key = names.pop() ?? "";
  const held = names.map((name) => (name === "ControlOrMeta" ? "Control" : name));
  const down = held.map((name) => `{${name}>}`).join("");
  const up = held
    .toReversed()
    .map((name) => `{/${name}}`)
    .join("");
  const pressed = key === "Space" ? "[Space]" : key.length === 1 ? literal(key) : `{${key}}`;
  await actor().keyboard(down + pressed + up);
}

export async function typeText(text: string): Promise<void> {
  await nextFrame();
  await actor().keyboard([...text].map(literal).join(""));
}

function literal(character: string): string {
  if (character === "\n") return "{Enter}";
  return /[{[]/.test(character) ? character + character : character;
}

function createEvent(name: string, init: object): Event {
  return Object.assign(new Event(name, { bubbles: true, cancelable: true }), init);
}

/**
 * A dialog gives the focus back a moment after it closed, and React renders what an event changed: acting before would
 * be quicker than any person. Timers that are due come first.
 */
async function nextFrame(): Promise<void> {
  await delay(lookMs);
}

async function fileAt(path: string): Promise<File> {
  return new File([await readFile(path)], basename(path), { type: typeOf(path) });
}

function typeOf(path: string): string {
  return path.endsWith(".png") ? "image/png" : "";
}

function fileOf({ name, mimeType, buffer }: GivenFile): File {
  return new File([new Uint8Array(buffer)], name, { type: mimeType });
}

export function isEnabled(element: HTMLElement): boolean {
  return !element.matches(":disabled") && element.getAttribute("aria-disabled") !== "true";
}

function isPressable(element: HTMLElement): boolean {
  return isEnabled(element) && isInReach(element);
}

/** A modal layer takes the pointer from everything but itself. */
function isInReach(element: HTMLElement): boolean {
  for (let each: HTMLElement | null = element; each; each = each.parentElement) {
    if (each.style.pointerEvents === "auto" || each.classList.contains("pointer-events-auto"))
      return true;
    if (each.style.pointerEvents === "none") return false;
  }
  return true;
}

export function fieldValue(element: HTMLElement): string {
  return "value" in element ? String(element.value) : "";
}

export function normalized(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function says(text: string | null, words: Words, exact: boolean): boolean {
  const own = normalized(text ?? "");
  if (words instanceof RegExp) return words.test(own);
  const meant = normalized(words);
  return exact ? own === meant : own.toLowerCase().includes(meant.toLowerCase());
}

/** Elements that say it, without those around them. */
function smallestWith(within: HTMLElement, words: Words, exact: boolean): HTMLElement[] {
  const inner = [...within.children].flatMap((child) =>
    child instanceof HTMLElement && mayHold(child, words) ? smallestWith(child, words, exact) : [],
  );
  if (inner.length > 0) return inner;
  return !within.matches("body, script, style") && says(within.textContent, words, exact)
    ? [within]
    : [];
}

/** A text lies within each element around it; an expression may match a part and not the whole. */
function mayHold(element: HTMLElement, words: Words): boolean {
  return words instanceof RegExp || says(element.textContent, words, false);
}
