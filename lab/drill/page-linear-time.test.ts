import { expect, it } from "vitest";
import { cleanText } from "@/app/_data/chat/clean-text";
import { readCommand } from "@/app/_features/chat/composer/slash-command";
import { promptSections } from "@/app/_features/context/prompt-text";
import { labelOf } from "@/app/_features/memory/block-form";
import { taskMarks, ticked } from "@/app/_features/memory/task-items";
import { diffHunks, lineDiff } from "@/app/_message/memory/line-diff";
import { definitionsFor, definitionsIn } from "@/app/_ui/markdown/definitions";
import { fenceAt, isClosingFence, readFence } from "@/app/_ui/markdown/fence";
import { hostOf, hostToShow, safeHref } from "@/app/_ui/markdown/link-address";
import { countFormulas, hasMath, isInFormula, normalizeMath } from "@/app/_ui/markdown/math-text";
import { splitBlocks, splitPieces, splitSections } from "@/app/_ui/markdown/split-blocks";
import { linesOf, weightOf } from "@/app/_ui/markdown/text-weight";
import { isTooHeavy } from "@/app/_ui/markdown/too-heavy";
import { growthProblems } from "@/lib/text/testing/hostile-texts";

const readers: Record<string, (text: string) => unknown> = {
  cleanText,
  readCommand: (text) => readCommand(`/find ${text}`),
  promptSections,
  labelOf,
  lineDiff: (text) => diffHunks(lineDiff(`x${text}`, `${text}\nx`)),
  taskMarks,
  ticked: (text) => ticked(text, 3),
  safeHref: (text) => safeHref(`https://${text}`),
  hostOf,
  hostToShow: (text) => hostToShow(text, "https://example.org/"),
  fenceAt,
  readFence,
  isClosingFence: (text) => isClosingFence(text, "```"),
  hasMath,
  countFormulas,
  isInFormula: (text) => isInFormula(text, false),
  normalizeMath,
  weightOf,
  linesOf,
  definitionsIn: (text) => definitionsIn(`[a]: b\n${text}`),
  definitionsFor: (text) => definitionsFor(text, definitionsIn(`${text}\n\n[a]: b`)),
  isTooHeavy,
  splitBlocks,
  splitSections,
  splitPieces,
};

it.each(Object.entries(readers))(
  "%s takes linear time for hostile texts and never fails",
  (_, read) => expect(growthProblems(read)).toEqual([]),
);
