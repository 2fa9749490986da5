import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { estimateTokens } from "@/lib/llm/estimate-tokens";
import { clip } from "@/lib/session";
import { type DemoCall, readCall } from "./demo-call";
import { type DemoFault, faultOf, overflow } from "./demo-faults";
import { demoModelInfo } from "./demo-info";
import { intentsOf } from "./demo-intents";
import { demoSummary } from "./demo-summary";
import { demoTitle } from "./demo-title";
import { toolAnswer } from "./demo-tool-answer";
import { type DemoToolCall, toolCallFor } from "./demo-tool-calls";
import { topicAnswer } from "./demo-topics";
import { chosen } from "./hash";
import { offeredTools } from "./offered-tools";

/** What the demo model is going to say and do. */
export type DemoPlan = {
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly DemoToolCall[];
  readonly fault: DemoFault | null;
  readonly seed: number;
  readonly inputTokens: number;
  /** How much longer than usual the pauses between its words are. */
  readonly pace: number;
};

/** Slow enough to look at whatever is shown while something is being written, and to stop it. */
const slowly = 40;

/** Decides the whole answer before a word of it is sent; the same call always gives the same plan. */
export function planAnswer(options: LanguageModelV4CallOptions): DemoPlan {
  const call = readCall(options);
  const inputTokens = estimateTokens(call.promptText + JSON.stringify(options.tools ?? []));
  const plan = {
    reasoning: "",
    text: "",
    calls: [],
    fault: null,
    seed: call.seed,
    inputTokens,
    pace: /\btake your time\b/i.test(call.question) ? slowly : 1,
  };
  // Both come with a whole conversation to condense; refusing it would leave no way out of a full window.
  if (call.purpose === "title") return { ...plan, text: demoTitle(call.question) };
  if (call.purpose === "summary") return { ...plan, text: demoSummary(call.question) };
  if (inputTokens > (demoModelInfo.contextWindow ?? 0)) {
    return { ...plan, fault: { when: "start", error: overflow } };
  }
  if (call.outcomes.length > 0) return { ...plan, text: toolAnswer(call) };
  const fault = faultOf(call.question);
  if (fault) return { ...plan, text: faultIntroduction, fault };
  return { ...plan, reasoning: reasoningFor(call), ...answerOrCalls(call, options) };
}

const faultIntroduction =
  "I will begin an answer and then fail, so that you can see what becomes of the part that had already arrived by then.";

function answerOrCalls(
  call: DemoCall,
  options: LanguageModelV4CallOptions,
): { text: string; calls: readonly DemoToolCall[] } {
  const intents = intentsOf(call.question);
  const tools = offeredTools(options);
  const calls = intents
    .map((intent) => toolCallFor(intent, tools, call))
    .filter((made) => made !== null);
  if (calls.length > 0) return { text: "", calls };
  const missing =
    intents.length === 0 ? "" : "There is no tool here that could do this for me.\n\n";
  return { text: `${chosen(openings, call.seed)}\n\n${missing}${topicAnswer(call)}`, calls };
}

// As many as differ from each other: answering again takes the next one.
const openings = [
  "Happy to.",
  "Good question.",
  "Let us look at it together.",
  "Here is one way to see it.",
  "With pleasure.",
  "Another way to put it:",
  "Gladly.",
] as const;

function reasoningFor({ question, seed }: DemoCall): string {
  if (!/\bthink|\breason/i.test(question)) return "";
  const first = chosen(thoughts, seed);
  return `The person asks: “${clip(question, 160)}”. ${first} I am a script, so these thoughts are written in advance, but they are streamed and kept the way a real model's are.`;
}

const thoughts = [
  "First I look for a word I know, then for a tool that fits, and only then for something to say.",
  "Let me see what is really meant before I answer, and whether a tool would help.",
  "I compare what I could show with what was asked for, and choose the smaller thing.",
] as const;
