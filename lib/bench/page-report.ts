import type { PageFigures } from "./page-bench";

/** Figures of the page as Markdown. */
export function pageReport(figures: PageFigures): string {
  const { open, stream, palette, hard, messages, searchedMessages, slowdown } = figures;
  const long = `${messages.toLocaleString("en")} messages`;
  const rows: [string, string, string][] = [
    [`first message of ${long} painted`, ms(open.firstMessageMs), "1,500"],
    [`largest paint of ${long}`, ms(open.largestPaintMs), "1,500"],
    [`${long} ready to be acted on`, ms(open.liveMs), ""],
    [`longest task opening ${long}`, task(open.longestTask), "200"],
    [`key press to paint in ${long}, p95`, ms(figures.keysInLongSession), "50"],
    [`key press to paint while an answer streams, p95`, ms(stream.keys), "50"],
    [`longest task in ${stream.seconds} s of streaming`, task(stream.longestTask), "100"],
    ["layout shift while streaming", stream.shift.toFixed(4), "0"],
    [
      `palette over ${searchedMessages.toLocaleString("en")} messages: key press to paint, p95`,
      ms(palette.keys),
      "100",
    ],
    ["palette: answer of the server, p95", ms(palette.answers), "100"],
    ...hard.map(({ name, longestTask, isWhole }): [string, string, string] => [
      `longest task showing ${name}${isWhole ? "" : " (**text missing**)"}`,
      task(longestTask),
      "200",
    ]),
    [
      "layout shift showing any of these",
      Math.max(0, ...hard.map(({ shift }) => shift)).toFixed(4),
      "0",
    ],
  ];
  return [
    `| the page at ${slowdown} × slower processor | ms | goal |`,
    "| --- | ---: | ---: |",
    ...rows.map((row) => `| ${row.join(" | ")} |`),
  ].join("\n");
}

function ms(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function task(value: number): string {
  return value === 0 ? "< 50" : ms(value);
}
