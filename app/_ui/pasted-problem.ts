/** A field as its element describes it; a password or number field may have no selection to tell of. */
export interface FilledField {
  readonly value: string;
  readonly selectionStart: number | null;
  readonly selectionEnd: number | null;
}

/**
 * Why `pasted` cannot take the place of what is selected in a field of at most `limit` characters, as a sentence; `null`
 * when it can. Browsers would cut it off without a word.
 */
export function pastedProblem(
  { value, selectionStart, selectionEnd }: FilledField,
  pasted: string,
  limit: number,
): string | null {
  const selected = (selectionEnd ?? 0) - (selectionStart ?? 0);
  // Counted as it arrives in the field, where a line ends with one character.
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
