import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Middleware,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
} from "@ai-sdk/provider";
import { callsWithoutThoughts } from "./call-turns";
import { type Feature, features, fileFeature } from "./features";
import { callsAsNotes } from "./told-calls";

type Options = LanguageModelV4CallOptions;

export function withoutFeatures(options: Options, left: readonly Feature[]): Options {
  return features
    .filter((feature) => left.includes(feature))
    .reduce((given, feature) => leaveOut[feature](given), options);
}

/** Keeps the tools of a call that has any: a program has asked for them. */
export function leavingOut(without: readonly Feature[]): LanguageModelV4Middleware {
  return {
    specificationVersion: "v4",
    transformParams: async ({ params }) => {
      const hasTools = params.tools !== undefined && params.tools.length > 0;
      const left = hasTools ? without.filter((feature) => feature !== "tools") : without;
      return withoutFeatures(params, left);
    },
  };
}

const leaveOut: Readonly<Record<Feature, (options: Options) => Options>> = {
  tools: ({ tools: _, toolChoice: __, ...options }) => ({
    ...options,
    prompt: callsAsNotes(options.prompt, () => true),
  }),
  images: (options) => withoutFiles(options, "images", "this model takes no images"),
  pdfs: (options) => withoutFiles(options, "pdfs", "this model takes no PDFs"),
  schema: (options) => {
    const { responseFormat: format } = options;
    if (format?.type !== "json" || !format.schema) return options;
    const text = `${onlyJson} It must match this JSON schema:\n${JSON.stringify(format.schema)}`;
    return {
      ...options,
      responseFormat: { type: "json" },
      prompt: instructed(options.prompt, text),
    };
  },
  json: ({ responseFormat: format, ...options }) =>
    format?.type === "json" && !format.schema
      ? { ...options, prompt: instructed(options.prompt, onlyJson) }
      : { ...options, ...(format && { responseFormat: format }) },
  system: (options) => ({ ...options, prompt: instructionsInQuestion(options.prompt) }),
  thoughts: (options) => ({ ...options, prompt: options.prompt.map(withoutThoughts) }),
  calls: (options) => {
    const told = callsWithoutThoughts(options.prompt);
    return { ...options, prompt: callsAsNotes(options.prompt, (index) => told.has(index)) };
  },
};

const onlyJson = "Answer with JSON only, without words or a code fence around it.";

/** Templates take one system message, at the beginning. */
function instructed(prompt: LanguageModelV4Prompt, text: string): LanguageModelV4Prompt {
  const [first, ...others] = prompt;
  if (first?.role !== "system") return [{ role: "system", content: text }, ...prompt];
  if (first.content.includes(text)) return prompt;
  return [{ ...first, content: `${first.content}\n\n${text}` }, ...others];
}

function withoutFiles(options: Options, feature: "images" | "pdfs", reason: string): Options {
  const prompt = options.prompt.map((message): LanguageModelV4Message => {
    if (message.role !== "user") return message;
    const content = message.content.map((part) =>
      part.type === "file" && fileFeature(part.mediaType) === feature
        ? noteAbout(part, reason)
        : part,
    );
    return { ...message, content };
  });
  return { ...options, prompt };
}

function noteAbout({ filename }: LanguageModelV4FilePart, reason: string): LanguageModelV4TextPart {
  const name = filename === undefined ? "A file" : `File “${filename}”`;
  return { type: "text", text: `[${name} not sent: ${reason}]` };
}

/** Some templates know no system message; the first question then begins with it. */
function instructionsInQuestion(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const instructions = prompt.flatMap((message) =>
    message.role === "system" ? [message.content] : [],
  );
  if (instructions.length === 0) return prompt;
  const text: LanguageModelV4TextPart = { type: "text", text: instructions.join("\n\n") };
  const others = prompt.filter(({ role }) => role !== "system");
  const [first, ...rest] = others;
  if (first?.role !== "user") return [{ role: "user", content: [text] }, ...others];
  return [{ ...first, content: [text, ...first.content] }, ...rest];
}

export function withoutThoughts(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== "assistant") return message;
  if (!message.content.some(({ type }) => type === "reasoning")) return message;
  return { ...message, content: message.content.filter(({ type }) => type !== "reasoning") };
}
