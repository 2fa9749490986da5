/** What every hard text ends with. */
export const lastWord = "endofthetext";

/** Markdown that is hard to show, by name. Each ends with the last word, so that one can tell that all of it is shown. */
export const hardTexts: Readonly<Record<string, string>> = {
  "100 KB of `**a**`": ended("**a**".repeat(20_000)),
  "10,000 `>`": ended(">".repeat(10_000)),
  "a table of 3,000 rows": ended(
    `| a | b | c |\n|---|---|---|\n${"| one | two | three |\n".repeat(3_000)}`,
  ),
  "an unclosed fence of 100 KB": ended(`\`\`\`js\n${"const x = [1, 2, 3];\n".repeat(5_000)}`),
  "300 formulas": ended(
    "A formula $$\\frac{a_1}{b^2} + \\sum_{i=0}^{n} x_i$$ and words.\n\n".repeat(300),
  ),
  "300 lines of code": ended(
    `\`\`\`ts\n${"export const name = (value: string) => value.length + 1; // why\n".repeat(300)}\`\`\`\n`,
  ),
};

function ended(text: string): string {
  return `${text}\n\n${lastWord}`;
}

/** A word of an answer with everything answers have: paragraphs, lists, code, tables. */
export function wordOfAnswer(n: number): string {
  const place = n % 120;
  if (place === 0) return "\n\n## Heading\n\n";
  if (place === 30) return "\n\n- first **point**\n- second `point`\n\n";
  if (place === 60) return "\n\n```ts\nconst a = 1;\nconst b = [a, 2, 3];\n```\n\n";
  if (place === 90) return "\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n";
  return `word${n} `;
}
