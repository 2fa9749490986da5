/** A password or number field may have no selection. */
export interface FilledField {
  readonly value: string;
  readonly selectionStart: number | null;
  readonly selectionEnd: number | null;
}

/**
 * Explains why `pasted` does not fit into a field of `limit` characters; `null` when it does. Browsers would truncate
 * it silently.
 */
export function pastedProblem(
  { value, selectionStart, selectionEnd }: FilledField,
  pasted: string,
  limit: number,
): string | null {
  const selected = (selectionEnd ?? 0) - (selectionStart ?? 0);
  // A line break is one character in the field.
  const added = pasted.replaceAll("\r\n", "\n").length;
  const length = value.length - selected + added;
  if (length <= limit) return null;
  const over = `Not pasted: that is ${number(added)} characters`;
  if (added > limit) return `${over}, and there is room for ${number(limit)}.`;
  return `${over}, and there is room for ${number(limit - value.length + selected)} more.`;
}

function number(value: number): string {
  return value.toLocaleString("en");
}
