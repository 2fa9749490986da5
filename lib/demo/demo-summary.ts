import { clip } from "@/lib/text/clip";

const speakerLine =
  /^[\s>*[#(<]*(?:message role=")?(user|human|person|assistant|model)["\s]*(?:[\])*:>—-]+\s*(.*))?$/i;

const shareOfInput = 0.2;
const pointCharacters = 110;
const mostPoints = 8;

export function demoSummary(prompt: string): string {
  const turns = turnsIn(prompt);
  const asked = turns.filter(({ speaker }) => speaker === "user").map(({ text }) => text);
  const answered = turns.filter(({ speaker }) => speaker === "assistant").map(({ text }) => text);
  const room = Math.floor((prompt.length * shareOfInput) / pointCharacters);
  const points = [...earlierPoints(prompt), ...asked].slice(
    -Math.min(mostPoints, Math.max(1, room)),
  );
  const open = asked.filter((text) => /\?\s*$|\bto-?do\b/i.test(text)).slice(-2);
  return [
    section("Topic", [clip(asked[0] ?? points[0] ?? "A conversation", pointCharacters)]),
    section(
      "Key Points",
      points.map((text) => `- ${clip(text, pointCharacters)}`),
    ),
    section("Current State", [
      clip(answered.at(-1) ?? "Nothing was answered yet.", pointCharacters),
    ]),
    section(
      "Open Items",
      open.length === 0 ? ["- None"] : open.map((text) => `- ${clip(text, pointCharacters)}`),
    ),
  ].join("\n\n");
}

function section(heading: string, lines: readonly string[]): string {
  return [`## ${heading}`, ...lines].join("\n");
}

type DemoTurn = { speaker: "user" | "assistant"; text: string };

function turnsIn(prompt: string): DemoTurn[] {
  const turns: DemoTurn[] = [];
  for (const line of prompt.split("\n")) {
    const [, speaker, text = ""] = speakerLine.exec(line) ?? [];
    const last = turns.at(-1);
    if (speaker) turns.push({ speaker: /^(?:a|m)/i.test(speaker) ? "assistant" : "user", text });
    else if (last && !/^(?:#|<\/)/.test(line)) last.text += ` ${line}`;
  }
  return turns.filter(({ text }) => text.trim() !== "");
}

function earlierPoints(prompt: string): string[] {
  const section = /## Key Points\n((?:- .*\n?)+)/.exec(prompt)?.[1] ?? "";
  return section
    .split("\n")
    .map((line) => line.replace(/^- /, "").trim())
    .filter((line) => line !== "");
}
