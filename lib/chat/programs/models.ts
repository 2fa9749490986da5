import type { ProgramCall } from "@/lib/chat/answering/program-call";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import {
  type ModelInfo,
  type ModelRegistry,
  type ProgramSetting,
  type ResolvedModel,
  settingDropped,
} from "@/lib/llm";
import { assertMay, scopesOf } from "./keys";
import type { Program } from "./program";
import { programError } from "./program-error";
import type { JsonRecord } from "./response-writer";

type Caller = Pick<Program, "key">;

export async function listModels(
  { key }: Caller,
  registry: Pick<ModelRegistry, "listModels">,
): Promise<JsonRecord[]> {
  const wire = (id: string, provider: string) => {
    return { id, object: "model", created: 0, owned_by: provider };
  };
  const { models, aliases } = scopesOf(key);
  const named = Object.entries(aliases)
    .filter(([, model]) => !models || models.includes(model))
    .map(([name, model]) => wire(name, model.replace(/\/.*$/, "")));
  const listed = await ownModels(key, registry);
  return [...named, ...listed.map(({ ref, provider }) => wire(ref, provider))];
}

export function modelsForClaude(listed: readonly JsonRecord[]): JsonRecord {
  const data = listed.map(({ id }) => {
    return { type: "model", id, display_name: id, created_at: "1970-01-01T00:00:00Z" };
  });
  const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
  return { data, has_more: false, ...ends };
}

async function ownModels(
  key: Caller["key"],
  registry: Pick<ModelRegistry, "listModels">,
): Promise<ModelInfo[]> {
  const { models } = scopesOf(key);
  const listed = await registry.listModels();
  return listed.filter(({ ref }) => !models || models.includes(ref));
}

/**
 * Programs know `gpt-4o`, not `openai/gpt-4o`, so a provider's name serves when only one of the key's models has it.
 * @throws {ProgramError} `model_not_found`, for a name of several models; or what the registry throws.
 */
export async function modelNamed(
  caller: Caller,
  registry: Pick<ModelRegistry, "listModels" | "resolve">,
  name: string,
): Promise<ResolvedModel> {
  const alias = aliased(caller, name);
  if (alias !== null) return registry.resolve(alias);
  try {
    return await registry.resolve(name);
  } catch (unknown) {
    const refs = (await ownModels(caller.key, registry)).map(({ ref }) => ref);
    const [only, ...others] = refs.filter((ref) => ref.slice(ref.indexOf("/") + 1) === name);
    if (only === undefined) throw unknown;
    if (others.length === 0) return registry.resolve(only);
    const known = [only, ...others].join(", ");
    throw programError("no-model", `Several models are called “${name}”: ${known}.`, "model");
  }
}

export function aliased({ key }: Caller, name: string): string | null {
  const { aliases } = scopesOf(key);
  return Object.hasOwn(aliases, name) ? `${aliases[name]}` : null;
}

interface AnswerAsked {
  readonly name: string | null | undefined;
  readonly owner: OwnerData;
  readonly settings: Partial<ProgramCall>;
}

/**
 * @throws {ProgramError} for a key or a limit that forbids the answer, and for a setting that the model would not
 * receive.
 */
export async function modelForAnswer(
  { key, chooseModel, runner, making }: Program,
  { name, owner, settings }: AnswerAsked,
): Promise<ResolvedModel> {
  const [resolved] = await Promise.all([
    chooseModel(name ?? null),
    runner.assertMayStart(owner, making.id),
  ]);
  const { ref } = resolved.info;
  assertMay(key, { writes: true, model: ref });
  const setting = settingDropped(resolved.model, settings);
  if (setting === null) return resolved;
  const param = fields[setting];
  throw programError("unsupported", `The provider of ${ref} does not take “${param}”.`, param);
}

const fields: Readonly<Record<ProgramSetting, string>> = {
  frequencyPenalty: "frequency_penalty",
  presencePenalty: "presence_penalty",
  seed: "seed",
  stopSequences: "stop",
  parallelCalls: "parallel_tool_calls",
  verbosity: "verbosity",
};
