import fc from "fast-check";

type Words = (count: number) => string;
type Element = (words: Words) => string;

const upTo = (max: number) => fc.integer({ min: 1, max });
const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join("");

const paragraph = upTo(60).map(
  (count): Element =>
    (words) =>
      `${words(count)}.\n\n`,
);
const marked = upTo(12).map(
  (count): Element =>
    (words) =>
      `${lines(count, () => `**${words(2)}** and *${words(1)}*, \`${words(1)}\` with [${words(1)}](https://a.example), `)}\n\n`,
);
const heading = upTo(4).map(
  (depth): Element =>
    (words) =>
      `${"#".repeat(depth)} ${words(3)}\n\n`,
);
const rule = fc.constant<Element>(() => "---\n\n");

const list = fc
  .record({
    count: upTo(160),
    sign: fc.constantFrom("-", "*", "+", "1.", "1)", "one"),
    gap: fc.constantFrom("\n", "\n\n"),
    length: upTo(24),
    content: fc.constantFrom(
      "words",
      "bold",
      "task",
      "paragraphs",
      "nested",
      "deep",
      "code",
      "quote",
      "formula",
    ),
    lead: fc.boolean(),
  })
  .map(({ count, sign, gap, length, content, lead }): Element => {
    return (words) => {
      const items = lines(count, (at) => {
        const mark = sign === "one" ? "1." : /\d/.test(sign) ? `${at + 1}${sign.slice(1)}` : sign;
        const indent = " ".repeat(mark.length + 1);
        const more: Record<string, () => string> = {
          words: () => words(length),
          bold: () => `**${words(2)}**: ${words(length)}`,
          task: () => `[${at % 2 ? "x" : " "}] ${words(length)}`,
          paragraphs: () => `${words(length)}\n\n${indent}${words(length)}`,
          nested: () => `${words(length)}\n${indent}- ${words(4)}\n${indent}- ${words(4)}`,
          deep: () =>
            `${words(3)}\n${indent}- ${words(2)}\n${indent}  1. ${words(2)}\n${indent}     - ${words(2)}`,
          code: () =>
            `${words(length)}\n\n${indent}\`\`\`js\n${indent}const ${words(1)} = [a | b];\n\n${indent}- ${words(1)}\n${indent}\`\`\``,
          quote: () => `${words(length)}\n${indent}> ${words(4)}`,
          formula: () => `${words(length)}: \\(x_${at}\\)`,
        };
        return `${mark} ${more[content]?.()}${gap}`;
      });
      return `${lead ? `${words(3)}:\n${gap === "\n" ? "" : "\n"}` : ""}${items}\n`;
    };
  });

const chapter = upTo(300).map(
  (count): Element =>
    (words) =>
      `1. ${words(3)}\n${lines(count, () => `   - **${words(2)}**: ${words(8)}\n`)}\n   ${words(4)}\n\n2. ${words(3)}\n\n`,
);

const codeInItem = upTo(400).map(
  (count): Element =>
    (words) =>
      `- ${words(2)}\n\n  \`\`\`ts\n${lines(count, (at) => `  const ${words(1)} = call(${at}, "a" | b);\n`)}  \`\`\`\n\n- ${words(2)}\n\n`,
);

const table = fc
  .record({ columns: fc.integer({ min: 2, max: 14 }), rows: upTo(140), length: upTo(4) })
  .map(({ columns, rows, length }): Element => {
    return (words) => {
      const row = () =>
        `|${Array.from({ length: columns }, () => ` **${words(1)}** ${words(length)} |`).join("")}\n`;
      return `${row()}|${" --- |".repeat(columns)}\n${lines(rows, row)}\n`;
    };
  });

const quote = fc
  .record({ count: upTo(60), length: upTo(40), isList: fc.boolean() })
  .map(({ count, length, isList }): Element => {
    return (words) =>
      `${lines(count, (at) => (isList ? `> ${at + 1}. ${words(length)}\n` : `> ${words(length)}\n>\n`))}\n`;
  });

const code = upTo(200).map(
  (count): Element =>
    (words) =>
      `\`\`\`py\n${lines(count, () => `- ${words(2)}\n\n`)}\`\`\`\n\n`,
);

const note = fc.nat().map(
  (id): Element =>
    (words) =>
      `${words(5)}[^n${id}] and [${words(1)}][r${id}].\n\n[^n${id}]: ${words(6)}\n    ${words(3)}\n[r${id}]: https://a.example/${id}\n\n`,
);

const details = upTo(40).map(
  (count): Element =>
    (words) =>
      `<details>\n<summary>${words(2)}</summary>\n\n${lines(count, () => `${words(12)}.\n\n`)}</details>\n\n`,
);

const cjk = upTo(90).map(
  (count): Element =>
    (words) =>
      `${lines(count, () => `这是**“${words(1)}”**内容，`)}。\n\n`,
);

export interface OrdinaryMarkdown {
  readonly text: string;
  readonly words: readonly string[];
}

/** Answers as models write them, of up to `most` characters. */
export function ordinaryMarkdown(most: number): fc.Arbitrary<OrdinaryMarkdown> {
  const element = fc.oneof(
    ...[paragraph, marked, heading, rule, list, list, list, chapter],
    ...[codeInItem, table, quote, code, note, details, cjk],
  );
  return fc.array(element, { minLength: 1, maxLength: 40, size: "max" }).map((elements) => {
    let text = "";
    let words: string[] = [];
    for (const write of elements) {
      const own: string[] = [];
      const next: Words = (count) => {
        const made = Array.from(
          { length: count },
          (_, at) => `w${words.length + own.length + at}w`,
        );
        own.push(...made);
        return made.join(" ");
      };
      const more = write(next);
      if (text.length + more.length > most) continue;
      text += more;
      words = [...words, ...own];
    }
    return { text, words };
  });
}
