import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { ChatError } from "@/lib/chat/core/chat-error";
import { cleanText } from "@/lib/chat/core/clean-text";
import { isDatabaseAway } from "@/lib/chat/core/database-away";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { AskPerson } from "@/lib/chat/core/tool-source";
import {
  answerQuestionRequest,
  fieldProblem,
  type QuestionAnswer,
  type QuestionWire,
} from "@/lib/chat/wire/questions";

const answerMs = 10 * 60_000;
const pollMs = 250;

const storedQuestion = z.object({
  question: z.custom<QuestionWire>((value) => typeof value === "object" && value !== null),
  answer: answerQuestionRequest.optional(),
});

/** The question is stored with the run, so that any process can take the answer. */
export function askingPerson(
  { runs }: Pick<OwnerData, "runs">,
  runId: string,
  waitMs = answerMs,
): AskPerson {
  return async (asked, { signal, onAsked }) => {
    const end = Date.now() + waitMs;
    const id = crypto.randomUUID();
    const question: QuestionWire = { ...asked, id, until: new Date(end).toISOString() };
    await runs.changeQuestion(runId, id, { question });
    onAsked(question);
    try {
      while (Date.now() < end) {
        await delay(pollMs, undefined, { signal });
        const answer = await answerTo(runs, { runId, id });
        if (answer) return answer;
      }
      const late = { question, answer: { action: "cancel" as const } };
      if (await runs.answerQuestion(runId, id, late)) return late.answer;
      return (await answerTo(runs, { runId, id })) ?? late.answer;
    } finally {
      await runs.changeQuestion(runId, id, null).catch(unlessAway);
    }
  };
}

async function answerTo(
  runs: OwnerData["runs"],
  { runId, id }: { runId: string; id: string },
): Promise<QuestionAnswer | null> {
  const found = await runs.question(runId, id).catch(unlessAway);
  return storedQuestion.safeParse(found).data?.answer ?? null;
}

function unlessAway(error: unknown): null {
  if (isDatabaseAway(error)) return null;
  throw error;
}

export interface QuestionAddress {
  readonly sessionId: string;
  readonly runId: string;
  readonly questionId: string;
}

export async function answerQuestion(
  { runs }: Pick<OwnerData, "runs">,
  { sessionId, runId, questionId }: QuestionAddress,
  given: QuestionAnswer,
): Promise<void> {
  const run = await runs.get(runId);
  const found = run?.sessionId === sessionId ? await runs.question(runId, questionId) : null;
  const stored = storedQuestion.safeParse(found).data;
  if (!stored || stored.answer) throw questionOver();
  const { question } = stored;
  const answer = fitting(question, cleanText(given));
  const stillOpen = await runs.answerQuestion(runId, questionId, { question, answer });
  if (!stillOpen) throw questionOver();
}

function fitting({ ask }: QuestionWire, answer: QuestionAnswer): QuestionAnswer {
  if (answer.action !== "accept") return answer;
  if (ask.kind === "page") return { action: "accept", content: {} };
  const content = ask.fields.flatMap((field) => {
    const value = answer.content[field.name];
    const problem = fieldProblem(field, value);
    if (problem) throw new ChatError("invalid-body", problem, { field: field.name });
    return value === undefined || value === "" ? [] : [[field.name, value] as const];
  });
  return { action: "accept", content: Object.fromEntries(content) };
}

function questionOver(): ChatError {
  return new ChatError("question-over", "This was answered already, or its call has ended.");
}
