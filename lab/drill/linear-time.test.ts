import { describe, expect, it } from "vitest";
import { archivedIdOf } from "@/lib/archives/archive-name";
import { cleanText } from "@/lib/chat/core/clean-text";
import { workingFolderIn } from "@/lib/chat/programs/working-folder";
import { labelProblem } from "@/lib/chat/sessions/blocks";
import { readAssistant } from "@/lib/chat/wire/assistants";
import { describeModelError, redactSecrets } from "@/lib/llm/describe-model-error";
import { questionOfTitlePrompt, tidyTitle, titleFromQuestion } from "@/lib/llm/generate-title";
import { typingErrors } from "@/lib/postgres/search/correct-query";
import { storableJson } from "@/lib/postgres/storable";
import { fileNameOf } from "@/lib/server/download";
import { renderMessage } from "@/lib/session/compaction/summarize-messages";
import { holdsLines } from "@/lib/session/context/context-blocks";
import { diffLines } from "@/lib/session/context/diff-lines";
import { changedBlocks, promptSections, renderPrompt } from "@/lib/session/context/prompt";
import { storableText } from "@/lib/session/internal";
import { isNestedTooDeeply } from "@/lib/session/json-depth";
import { linearRecords, messageFromRecord } from "@/lib/session/linear-records";
import { capOutput } from "@/lib/session/micro-compaction/cap-output";
import { parseSkill } from "@/lib/session/parse-skill";
import { parseSessionText } from "@/lib/session/portable/session-text";
import { fold } from "@/lib/session/search/fold";
import { cut, knownWords, languageStems } from "@/lib/session/search/known-word";
import { toTsqueries, toTsvector } from "@/lib/session/search/lexemes";
import {
  excerptText,
  marked,
  matches,
  scoreOf,
  scoreOfParts,
  snippet,
} from "@/lib/session/search/match";
import { plainMarkdown } from "@/lib/session/search/plain-markdown";
import { parseQuery } from "@/lib/session/search/query";
import { previewOf, searchableText } from "@/lib/session/search/searchable-text";
import { stem } from "@/lib/session/search/stem";
import { askedWords, termsLike, tokenize } from "@/lib/session/search/tokenize";
import { canonicalJson, toStoredBody } from "@/lib/session/stored-body";
import { clip, cutText } from "@/lib/session/text";
import { estimateMessageTokens, estimateStringTokens } from "@/lib/session/tokens/estimate-tokens";
import { entryKeyFor, entryKeyOf } from "@/lib/session/tools/entry-key";
import { storableLabel } from "@/lib/session/tree/edits";
import { decodeSkillText } from "@/lib/skills/skill-text";
import { growthProblems, hostileTexts } from "@/lib/text/testing/hostile-texts";

const query = parseQuery('word a forest "a a" 森林');

const said = (text: string) => ({
  id: "m",
  role: "user" as const,
  parts: [{ type: "text", text }],
  createdAt: new Date(0),
});

const used = (text: string) => ({
  id: "m",
  role: "assistant" as const,
  parts: [
    {
      type: "tool-x",
      toolCallId: "c",
      state: "output-available",
      input: { text },
      output: { lines: text.split("\n"), text },
    },
  ],
  createdAt: new Date(0),
});

const block = (text: string) => ({
  id: "a",
  label: "a",
  description: text,
  content: text,
  tokens: 1,
  writable: true,
  isSkill: false,
  isSearchable: false,
});

/** For readers that answer an unfit text with an error of their own. */
const orRefuse = (read: (text: string) => unknown, refusal: string) => (text: string) => {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof Error && error.name === refusal) return null;
    throw error;
  }
};

const readers: Record<string, (text: string) => unknown> = {
  plainMarkdown,
  fold,
  stem,
  languageStems,
  termsLike,
  cut,
  parseQuery,
  toTsqueries: (text) => toTsqueries(parseQuery(text)),
  excerptText: (text) => excerptText({ text: "a", marks: [] }, text),
  workingFolderIn: (text) => workingFolderIn([text, `Working directory: /${text}`, `<cwd>${text}`]),
  previewOf: (text) => previewOf(said(text)),
  searchableText: (text) => searchableText(used(text)),
  clip: (text) => clip(text, 120),
  cutText: (text) => cutText(text, 1_000),
  storableLabel: orRefuse(storableLabel, "InvalidArgumentError"),
  isNestedTooDeeply,
  estimateStringTokens,
  estimateMessageTokens: (text) => estimateMessageTokens([used(text)]),
  "diffLines of a line at the end": (text) => diffLines(text, `${text}\nx`),
  "diffLines of different lines": (text) => diffLines(`x${text}`, `${text}\nx`),
  holdsLines: (text) => holdsLines(text, `${text.slice(0, text.length / 2)}x`),
  renderPrompt: (text) => renderPrompt([block(text)]),
  promptSections,
  changedBlocks: (text) => changedBlocks(text, [block(text)]),
  entryKeyOf,
  entryKeyFor,
  "capOutput of text": (text) => capOutput(text),
  "capOutput of a list": (text) => capOutput(text.split(" ")),
  "capOutput of a record": (text) => capOutput({ [text]: text.split("\n"), text }),
  renderMessage: (text) => renderMessage(said(text)),
  "renderMessage of a tool call": (text) => renderMessage(used(text)),
  parseSessionText: orRefuse(parseSessionText, "ExportDamagedError"),
  canonicalJson,
  toStoredBody: (text) => toStoredBody(said(text), new Date(0)),
  linearRecords: (text) => linearRecords(used(text)),
  messageFromRecord: (text) =>
    messageFromRecord(
      { role: "tool", content: text, timestamp: text },
      { id: "m", toolName: text },
    ),
  readAssistant: orRefuse((text) => readAssistant(text, "x"), "FrontMatterError"),
  parseSkill: (text) => parseSkill(text, "Skill"),
  decodeSkillText: orRefuse((text) => decodeSkillText("x", Buffer.from(text)), "SkillSourceError"),
  cleanText: (text) => cleanText({ text, list: text.split("\n") }),
  labelProblem,
  storableText,
  storableJson: (text) => storableJson({ [text]: text }),
  redactSecrets,
  describeModelError: (text) => describeModelError(new Error(text)),
  tidyTitle,
  titleFromQuestion,
  questionOfTitlePrompt,
  fileNameOf: (text) => encodeURIComponent(fileNameOf(`${text.slice(0, 79)}${text}`, "x")),
  archivedIdOf,
};

/** Of one line each, as long as they may be. */
const frontMatters: Record<string, (line: string) => string> = {
  "a text": (line) => `---\ntools: a${line}\n---`,
  "a list": (line) => `---\ntools: [${line}]\n---`,
  "a map": (line) => `---\ntools: { a: ${line} }\n---`,
  "list items": (line) => `---\nskills:\n  - ${line}\n---`,
  "a field": (line) => `---\n${line}: a\n---`,
};

/** These take about half a second for a million characters. */
const analyses: Record<string, (text: string) => unknown> = {
  tokenize,
  askedWords,
  knownWords,
  toTsvector,
  snippet: (text) => snippet(text, query),
  marked: (text) => marked(text, query),
  matches: (text) => matches(query, tokenize(text)),
  scoreOf: (text) => scoreOf(query, tokenize(text)),
  scoreOfParts: (text) => scoreOfParts(query, { said: [], all: tokenize(text) }),
};

describe("Every reader of text takes linear time for hostile texts and never fails", () => {
  it.each(Object.entries(readers))("%s", (_, read) => {
    expect(growthProblems(read)).toEqual([]);
  });

  it.each(Object.entries(analyses))("%s", (_, read) => {
    expect(growthProblems(read, { length: 32_000 })).toEqual([]);
  });

  it.each(Object.entries(frontMatters))("readAssistant, for %s", (_, make) => {
    const read = (text: string) => readAssistant(make(text.replace(/[\r\n]/g, " ")), "x");
    const problems = growthProblems(orRefuse(read, "FrontMatterError"), { length: 19_900 });
    expect(problems).toEqual([]);
  });

  it("typingErrors, for words as long as an index keeps", () => {
    const compare = (text: string) => typingErrors(text.slice(0, 200), text.slice(-200));
    expect(growthProblems(compare)).toEqual([]);
  });
});

it("A hostile text has its length, and is the same each time", () => {
  for (const make of Object.values(hostileTexts)) {
    expect(make(2_000).length).toBeGreaterThan(1_800);
    expect(make(2_000).length).toBeLessThan(2_200);
    expect(make(2_000)).toBe(make(2_000));
  }
});

it("Quadratic work and failures are reported", () => {
  const quadratic = (text: string) => text.startsWith("aa") && /a*b/.test(text);
  const problems = growthProblems(quadratic, { length: 48_000 });
  expect(problems).toContainEqual(expect.stringMatching(/^one letter: /));
  const failing = () => {
    throw new Error("no");
  };
  expect(growthProblems(failing)).toHaveLength(Object.keys(hostileTexts).length);
});
