/** Later names do not undo earlier ones: pass layout, not looks. */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(" ");
}
