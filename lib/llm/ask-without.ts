import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Middleware,
} from "@ai-sdk/provider";
import { describeModelError, redactSecrets } from "./describe-model-error";
import {
  type Feature,
  type FeatureParams,
  type FeatureRefusal,
  features,
  featuresOf,
} from "./features";
import { modelErrorEvidence } from "./model-error-code";
import { openStream } from "./opened-stream";
import { refusedFeature } from "./refused-feature";
import type { OpenedCall } from "./stream-parts";
import { callsAsNotes } from "./told-calls";
import { withoutFeatures } from "./without-features";

const longestWords = 300;

/** A refused feature stays left out in later steps. @param options.keeps never left out, as a program's tools. */
export function askWithout({
  keeps = [],
  onRefusal,
}: {
  readonly keeps?: readonly Feature[] | undefined;
  readonly onRefusal: (refusal: FeatureRefusal) => void;
}): LanguageModelV4Middleware {
  const left: Feature[] = [];
  let tellsCalls = false;
  return {
    specificationVersion: "v4",
    wrapStream: async ({ model, params }) => {
      for (let tries = 0; ; tries++) {
        const sent = withoutFeatures(params, left);
        const given = tellsCalls ? callsTold(sent) : sent;
        const opened = await openCall(model, given);
        if (!("fault" in opened)) return opened.result;
        if (!tellsCalls && demandsTools(opened.fault, given) && !params.abortSignal?.aborted) {
          await opened.result?.stream.cancel();
          tellsCalls = true;
          continue;
        }
        const feature = refusedIn(opened.fault, given);
        const isLeft = feature !== null && !keeps.includes(feature) && !left.includes(feature);
        if (!isLeft || tries >= features.length || params.abortSignal?.aborted) {
          if (opened.result) return opened.result;
          throw opened.fault;
        }
        await opened.result?.stream.cancel();
        left.push(feature);
        onRefusal({ feature, words: wordsOf(opened.fault) });
      }
    },
  };
}

export function refusedIn(fault: unknown, params: FeatureParams): Feature | null {
  return refusedFeature(modelErrorEvidence(fault), featuresOf(params));
}

function callsTold(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  return { ...options, prompt: callsAsNotes(options.prompt, () => true) };
}

/** Bedrock refuses calls in a request that offers no tools. */
function demandsTools(fault: unknown, { prompt, tools = [] }: FeatureParams): boolean {
  const { status, text } = modelErrorEvidence(fault);
  return (
    status === 400 &&
    tools.length === 0 &&
    prompt.some(({ role }) => role === "tool") &&
    /tool calling without|must define tools|toolconfig field must be defined/.test(text)
  );
}

async function openCall(
  model: LanguageModelV4,
  options: LanguageModelV4CallOptions,
): Promise<OpenedCall> {
  try {
    const result = await model.doStream(options);
    const { stream, first } = await openStream(result.stream);
    const opened = { result: { ...result, stream } };
    return first?.type === "error" ? { ...opened, fault: first.error } : opened;
  } catch (fault) {
    return { result: null, fault };
  }
}

function wordsOf(fault: unknown): string {
  const { message } = modelErrorEvidence(fault);
  const said = message === "" ? describeModelError(fault).message : message;
  return redactSecrets(said).slice(0, longestWords).toWellFormed();
}
