import { computeAccessibleName } from "dom-accessibility-api";
import { isShown } from "./is-shown";

export interface RoleOptions {
  readonly name?: string | RegExp;
  readonly exact?: boolean;
  readonly checked?: boolean;
  readonly selected?: boolean;
  readonly level?: number;
  readonly includeHidden?: boolean;
}

const field = "input:not([type]), input[type=text], input[type=email], input[type=password], ";

/** Elements that have the role without saying so. */
const implicit: Readonly<Record<string, string>> = {
  article: "article",
  banner: "header",
  blockquote: "blockquote",
  button: "button, summary, input[type=button], input[type=submit]",
  cell: "td",
  checkbox: "input[type=checkbox]",
  columnheader: "th[scope=col]",
  complementary: "aside",
  definition: "dd",
  dialog: "dialog",
  form: "form",
  group: "fieldset, details",
  heading: "h1, h2, h3, h4, h5, h6",
  img: "img",
  link: "a[href]",
  list: "ul, ol",
  listitem: "li",
  main: "main",
  math: "math",
  meter: "meter",
  navigation: "nav",
  option: "option",
  paragraph: "p",
  progressbar: "progress",
  radio: "input[type=radio]",
  region: "section[aria-label], section[aria-labelledby]",
  row: "tr",
  rowheader: "th[scope=row]",
  searchbox: "input[type=search]",
  slider: "input[type=range]",
  spinbutton: "input[type=number]",
  status: "output",
  strong: "strong",
  table: "table",
  textbox: `${field}input[type=url], input[type=tel], textarea`,
};

/** Elements below `within` that have the role and are shown to everybody. */
export function withRole(
  within: Element,
  role: string,
  { includeHidden = false, checked, selected, level }: RoleOptions,
): HTMLElement[] {
  const native = implicit[role];
  const selector = `[role="${role}"]${native ? `, :is(${native}):not([role])` : ""}`;
  return [...within.querySelectorAll<HTMLElement>(selector)].filter(
    (each) =>
      (checked === undefined || isChecked(each) === checked) &&
      (selected === undefined || (each.getAttribute("aria-selected") === "true") === selected) &&
      (level === undefined || each.matches(`h${level}, [aria-level="${level}"]`)) &&
      (includeHidden || (isShown(each) && !each.closest('[aria-hidden="true"]'))),
  );
}

export const nameOf = computeAccessibleName;

export function isChecked(element: HTMLElement): boolean {
  return element instanceof HTMLInputElement
    ? element.checked
    : element.getAttribute("aria-checked") === "true";
}
