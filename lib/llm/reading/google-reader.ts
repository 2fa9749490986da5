import { type AnswerReader, type ReadCall, unnamedTool } from "./answer-reader";
import { Ends } from "./ends";
import { pictureText } from "./pictures";
import { errorIn } from "./provider-words";
import {
  countOf,
  fieldsOf,
  firstText,
  given,
  isFields,
  itemsOf,
  type JsonFields,
  textOf,
} from "./read-values";

/** @see https://ai.google.dev/api/generate-content */
export function googleReader(call: ReadCall): AnswerReader {
  let finish: JsonFields | undefined;
  let usage: JsonFields | undefined;
  let isFinished = false;
  let hasWords = false;
  const ends = new Ends();

  return {
    read(event) {
      if (!isFields(event)) return [];
      const said = errorIn(event);
      if (said) {
        call.refusal ??= said;
        return [];
      }
      const candidate = fieldsOf(itemsOf(event.candidates).find(isFields));
      const { parts } = fieldsOf(candidate.content);
      const written = itemsOf(parts ?? contentText(candidate.content)).flatMap((part) =>
        partsOf(part, call.files),
      );
      hasWords ||= written.length > 0;
      usage = isFields(event.usageMetadata) ? usageOf(event.usageMetadata, call) : usage;
      const ended = finishOf(candidate);
      finish = ended ?? finish;
      ends.note({ words: written.length > 0, reason: ended !== undefined });
      const responseId = firstText(event.responseId);
      return [
        ...(responseId === undefined ? [] : [{ responseId }]),
        ...(isFields(event.promptFeedback)
          ? [{ promptFeedback: feedbackOf(event.promptFeedback) }]
          : []),
        ...written.map((part) => ({ candidates: [{ content: { parts: [part] } }] })),
        // The package checks the sources of a search; text must not be lost with them.
        ...(isFields(candidate.groundingMetadata)
          ? [{ candidates: [{ groundingMetadata: candidate.groundingMetadata }] }]
          : []),
      ];
    },
    finish: () => {
      isFinished = true;
    },
    end() {
      const reported = usage ? { usageMetadata: usage } : {};
      if (!finish && !isFinished) return usage ? [reported] : [];
      const last = finish ?? { finishReason: "STOP" };
      call.end = firstText(last.finishReason) ?? "";
      return [{ candidates: [last], ...reported }];
    },
    refuse: ({ message, type, code }) => ({
      error: { code: countOf(code) ?? null, message, status: type ?? "UNKNOWN" },
    }),
    get over() {
      return call.refusal !== null || isFinished ? "surely" : ends.state;
    },
    get hasWords() {
      return hasWords;
    },
  };
}

function contentText(content: unknown): unknown {
  return textOf(content) ?? fieldsOf(content).text;
}

function finishOf(candidate: JsonFields): JsonFields | undefined {
  const { finishReason, finish_reason, finishMessage, continuationToken } = candidate;
  const reason = firstText(finishReason, finish_reason);
  if (reason === undefined || /unspecified/i.test(reason)) return undefined;
  return given({
    finishReason: reason,
    finishMessage: firstText(finishMessage),
    continuationToken: firstText(continuationToken),
  });
}

function feedbackOf({ blockReason }: JsonFields): JsonFields {
  return given({ blockReason: firstText(blockReason) });
}

function usageOf(usage: JsonFields, call: ReadCall): JsonFields {
  const prompt = countOf(usage.promptTokenCount);
  const candidates = countOf(usage.candidatesTokenCount);
  const thoughts = countOf(usage.thoughtsTokenCount);
  const cached = countOf(usage.cachedContentTokenCount);
  call.reported.input = prompt !== undefined;
  call.reported.output = candidates !== undefined || thoughts !== undefined;
  return given({
    promptTokenCount: prompt,
    candidatesTokenCount: candidates,
    thoughtsTokenCount: thoughts,
    toolUsePromptTokenCount: countOf(usage.toolUsePromptTokenCount),
    cachedContentTokenCount: cached !== undefined && cached <= (prompt ?? 0) ? cached : undefined,
  });
}

function partsOf(part: unknown, files: ReadCall["files"]): JsonFields[] {
  if (typeof part === "string") return part === "" ? [] : [{ text: part }];
  const {
    text,
    thought,
    thoughtSignature,
    functionCall,
    function_call,
    inlineData,
    inline_data,
    fileData,
    ...own
  } = fieldsOf(part);
  const signature = given({
    thought: thought === true ? true : undefined,
    thoughtSignature: typeof thoughtSignature === "string" ? thoughtSignature : undefined,
  });
  const picture = fieldsOf(inlineData ?? inline_data);
  const called = functionCall ?? function_call;
  if (isFields(called)) return [{ functionCall: calledOf(called), ...signature }];
  if (typeof picture.data === "string") {
    const mimeType = firstText(picture.mimeType, picture.mime_type) ?? "image/png";
    return [{ inlineData: { mimeType, data: picture.data }, ...signature }];
  }
  const address = firstText(fieldsOf(fileData).fileUri);
  const elsewhere = address === undefined ? null : pictureText(address, files);
  if (elsewhere !== null) return [{ text: elsewhere }];
  const words = textOf(text);
  if (words !== undefined && (words !== "" || signature.thoughtSignature !== undefined))
    return [{ text: words, ...signature }];
  return isRun(own) ? [own] : [];
}

function isRun({ executableCode, codeExecutionResult }: JsonFields): boolean {
  const { language, code } = fieldsOf(executableCode);
  const { outcome } = fieldsOf(codeExecutionResult);
  return (typeof language === "string" && typeof code === "string") || typeof outcome === "string";
}

function calledOf({ id, name, args }: JsonFields): JsonFields {
  const input = isFields(args) || typeof args === "string" ? args : {};
  return given({ id: firstText(id), name: firstText(name) ?? unnamedTool, args: input });
}
