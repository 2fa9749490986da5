import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { APICallError } from "ai";
import { estimateStringTokens } from "grove-session";
import { questionOfTitlePrompt, titleFromQuestion } from "@/lib/llm/generate-title";
import { groveOptions } from "@/lib/llm/grove-options";
import type { ModelInfo } from "@/lib/llm/model-info";
import { clip } from "@/lib/text/clip";
import { type CutOffCall, chosen, cutOffCall, type DemoCall, readCall } from "./demo-call";
import { intentsOf } from "./demo-intents";
import { demoSummary } from "./demo-summary";
import { toolAnswer } from "./demo-tool-answer";
import { type DemoToolCall, offeredTools, toolCallFor } from "./demo-tool-calls";
import { topicAnswer } from "./demo-topics";

export type DemoPlan = {
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly DemoToolCall[];
  readonly fault: DemoFault | null;
  readonly seed: number;
  readonly inputTokens: number;
  readonly pace: number;
};

const slowly = 40;

export function planAnswer(
  options: LanguageModelV4CallOptions,
  { contextWindow }: Pick<ModelInfo, "contextWindow">,
): DemoPlan {
  const call = readCall(options);
  const cutOff = call.purpose === null ? cutOffCall(options) : null;
  if (cutOff) return { ...planGoingOn(cutOff, { contextWindow }), seed: call.seed };
  const inputTokens = estimateStringTokens(call.promptText + JSON.stringify(options.tools ?? []));
  const plan = {
    reasoning: "",
    text: "",
    calls: [],
    fault: null,
    seed: call.seed,
    inputTokens,
    pace: /\btake your time\b/i.test(call.question) ? slowly : 1,
  };
  // Titles and summaries get a whole conversation; refusing it would leave no way out of a full window.
  if (call.purpose === "title") return { ...plan, text: demoTitle(call.question) };
  if (call.purpose === "summary") return { ...plan, text: demoSummary(call.question) };
  if (contextWindow !== null && inputTokens > contextWindow) {
    return { ...plan, fault: { when: "start", error: overflow } };
  }
  if (call.outcomes.length > 0) return { ...plan, text: toolAnswer(call) };
  const fault = faultOf(call.question);
  if (fault) return { ...plan, text: faultIntroduction, fault };
  return { ...plan, reasoning: reasoningFor(call), ...answerOrCalls(call, options) };
}

const mostVariations = 30;

function planGoingOn(
  { options, written }: CutOffCall,
  model: Pick<ModelInfo, "contextWindow">,
): DemoPlan {
  const plans = Array.from({ length: mostVariations }, (_, variation) =>
    planAnswer({ ...options, providerOptions: groveOptions({ variation }) }, model),
  );
  const plan = plans.find(({ text, calls }) => calls.length === 0 && text.startsWith(written));
  const other = { ...planAnswer(options, model), calls: [], fault: null };
  return plan
    ? { ...plan, reasoning: "", fault: null, text: plan.text.slice(written.length) }
    : { ...other, reasoning: "", text: " … and that is the rest of it." };
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
  const about = call.files.length > 0 ? receivedFiles(call.files) : topicAnswer(call);
  return { text: `${chosen(openings, call.seed)}\n\n${missing}${about}`, calls };
}

function receivedFiles(files: readonly string[]): string {
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  return `I am a script and look at nothing, but I received ${count}:\n\n${files.map((file) => `- ${file}`).join("\n")}`;
}

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

type DemoFault = {
  readonly when: "start" | "report" | "break";
  error(): Error;
};

function answered(statusCode: number, message: string, headers: Record<string, string> = {}) {
  return () =>
    new APICallError({
      message,
      url: "demo:",
      requestBodyValues: undefined,
      statusCode,
      responseHeaders: headers,
      // A retry would only delay the failure.
      isRetryable: false,
    });
}

const faults: readonly { asked: RegExp; fault: DemoFault }[] = [
  {
    asked: /rate.?limit|429/,
    fault: { when: "start", error: answered(429, "Rate limit reached", { "retry-after": "5" }) },
  },
  { asked: /key|401/, fault: { when: "start", error: answered(401, "Invalid API key") } },
  { asked: /overload|busy|529|503/, fault: { when: "start", error: answered(529, "Overloaded") } },
  { asked: /overflow|too long|full context/, fault: { when: "start", error: overflow } },
  {
    asked: /cut|disconnect|dropped|lost connection/,
    fault: { when: "break", error: () => new TypeError("terminated") },
  },
  {
    asked: /error|fail|fault/,
    fault: { when: "report", error: answered(503, "The demo model simulates a fault") },
  },
];

function faultOf(question: string): DemoFault | null {
  const text = question.trim().toLowerCase();
  const asked = /\bsimulate\b(.*)/s.exec(text)?.[1] ?? /^(?:fail|error)[.!]?$/.exec(text)?.[0];
  if (asked === undefined) return null;
  return faults.find((row) => row.asked.test(asked))?.fault ?? null;
}

function overflow(): Error {
  return answered(400, "prompt is too long: context_length_exceeded")();
}

function demoTitle(prompt: string): string {
  return titleFromQuestion(questionOfTitlePrompt(prompt));
}
